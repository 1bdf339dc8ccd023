# The table of the block kernels in use, for the module that includes this.

from cpython.pycapsule cimport PyCapsule_GetPointer

from lunaflow.runtime._blocks cimport Blocks

from lunaflow.runtime import _isa as isa

cdef object capsule = isa.table()
cdef const Blocks* blocks = <const Blocks*> PyCapsule_GetPointer(capsule, "lunaflow.runtime.Blocks")
