"""Arrow columns, taken over through the C interface: types, chunks, and their buffers.

What is taken over is released exactly once: a type when it was read, a stream with its `Stream`, a
chunk with the last array that looks into it.
"""

from cpython.buffer cimport PyBuffer_FillInfo
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

cdef struct ArrowSchema:
    const char* format
    const char* name
    const char* metadata
    int64_t flags
    int64_t n_children
    ArrowSchema** children
    ArrowSchema* dictionary
    void (*release)(ArrowSchema*) noexcept nogil
    void* private_data

cdef struct ArrowArray:
    int64_t length
    int64_t null_count
    int64_t offset
    int64_t n_buffers
    int64_t n_children
    const void** buffers
    ArrowArray** children
    ArrowArray* dictionary
    void (*release)(ArrowArray*) noexcept nogil
    void* private_data

cdef struct ArrowArrayStream:
    int (*get_schema)(ArrowArrayStream*, ArrowSchema*) noexcept nogil
    int (*get_next)(ArrowArrayStream*, ArrowArray*) noexcept nogil
    const char* (*get_last_error)(ArrowArrayStream*) noexcept nogil
    void (*release)(ArrowArrayStream*) noexcept nogil
    void* private_data


cdef void* pointer(object capsule, const char* name) except NULL:
    if not PyCapsule_IsValid(capsule, name):
        raise TypeError(
            f"it gave {type(capsule).__name__} and not a capsule named {name.decode()!r}"
        )
    return PyCapsule_GetPointer(capsule, name)


cdef int check_unreleased(bint released) except -1:
    if released:
        raise ValueError("its capsule was consumed before")
    return 0


cdef str extension_name(const char* metadata):
    # pairs of texts, each after its length, all after their number
    cdef int32_t pairs, length
    cdef str key, value
    if metadata == NULL:
        return None
    memcpy(&pairs, metadata, 4)
    metadata += 4
    while pairs > 0:
        memcpy(&length, metadata, 4)
        key = metadata[4:4 + length].decode("utf-8", "replace")
        metadata += 4 + length
        memcpy(&length, metadata, 4)
        value = metadata[4:4 + length].decode("utf-8", "replace")
        metadata += 4 + length
        if key == "ARROW:extension:name":
            return value
        pairs -= 1
    return None


cdef tuple described(const ArrowSchema* schema):
    return (
        "" if schema.format == NULL else schema.format.decode("utf-8", "replace"),
        schema.dictionary != NULL,
        extension_name(schema.metadata),
    )


def type_of(object capsule):
    cdef ArrowSchema* schema = <ArrowSchema*> pointer(capsule, "arrow_schema")
    check_unreleased(schema.release == NULL)
    return described(schema)


cdef class Chunk:
    # zero in a new object, as all of it: nothing to release
    cdef ArrowArray array

    def __dealloc__(self):
        if self.array.release != NULL:
            self.array.release(&self.array)

    @property
    def length(self):
        return self.array.length

    @property
    def offset(self):
        return self.array.offset

    @property
    def null_count(self):
        return self.array.null_count

    def buffer(self, int index, Py_ssize_t size):
        cdef Memory memory
        if index >= self.array.n_buffers or self.array.buffers[index] == NULL:
            return None
        memory = Memory.__new__(Memory)
        memory.owner = self
        memory.data = <void*> self.array.buffers[index]
        memory.size = size
        return memoryview(memory)


cdef class Memory:
    cdef Chunk owner
    cdef void* data
    cdef Py_ssize_t size

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        PyBuffer_FillInfo(buffer, self, self.data, self.size, 1, flags)


def chunk_of(object capsule):
    cdef ArrowArray* array = <ArrowArray*> pointer(capsule, "arrow_array")
    cdef Chunk chunk = Chunk.__new__(Chunk)
    check_unreleased(array.release == NULL)
    memcpy(&chunk.array, array, sizeof(ArrowArray))
    array.release = NULL
    return chunk


cdef class Stream:
    cdef ArrowArrayStream stream

    def __cinit__(self, object capsule):
        cdef ArrowArrayStream* stream = <ArrowArrayStream*> pointer(capsule, "arrow_array_stream")
        check_unreleased(stream.release == NULL)
        memcpy(&self.stream, stream, sizeof(ArrowArrayStream))
        stream.release = NULL

    def __dealloc__(self):
        self.close()

    cdef void close(self) noexcept:
        if self.stream.release != NULL:
            self.stream.release(&self.stream)
            self.stream.release = NULL

    cdef int check(self, int code) except -1:
        cdef const char* text
        if code != 0:
            text = self.stream.get_last_error(&self.stream)
            said = b"no reason given" if text == NULL else <bytes> text
            self.close()
            raise OSError(code, f"the Arrow stream failed: {said.decode('utf-8', 'replace')}")
        return 0

    def type_of(self):
        cdef ArrowSchema schema
        cdef int code
        memset(&schema, 0, sizeof(ArrowSchema))
        with nogil:
            code = self.stream.get_schema(&self.stream, &schema)
        self.check(code)
        try:
            return described(&schema)
        finally:
            if schema.release != NULL:
                schema.release(&schema)

    def __iter__(self):
        return self

    def __next__(self):
        cdef Chunk chunk = Chunk.__new__(Chunk)
        cdef int code
        if self.stream.release == NULL:
            raise StopIteration
        # its producer may need the lock to make the next chunk
        with nogil:
            code = self.stream.get_next(&self.stream, &chunk.array)
        if code != 0:
            # what a failed call left behind is nobody's
            chunk.array.release = NULL
        self.check(code)
        if chunk.array.release == NULL:
            self.close()
            raise StopIteration
        return chunk
