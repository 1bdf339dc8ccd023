"""The part of the build that needs code: compiled modules, and whether OpenMP is there."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

STRICT = os.environ.get("LUNAFLOW_STRICT") == "1"  # compiler warnings are errors
WITHOUT_OPENMP = os.environ.get("LUNAFLOW_NO_OPENMP") == "1"

SOURCE = Path("src")
# the block kernels are built as the compiler likes, for every CPU; these once more for each level
LEVELS = {f"_blocks_{level}": [f"-march=x86-64-{level}"] for level in ("v2", "v3", "v4")}
LEVELS["_blocks_v4"].append("-mprefer-vector-width=512")
MODULES = sorted(SOURCE.glob("lunaflow/*/*.pyx"))
HEADERS = [
    str(path) for kind in ("pxd", "pxi", "h") for path in SOURCE.glob(f"lunaflow/*/*.{kind}")
]
# the packages whose modules need the GIL: a build of Python without one turns it on for them
NEEDS_GIL = {"autodiff"}
NEEDS_NUMPY = {"runtime"}  # the packages that cimport it
# what generated code does by design
NOT_OUR_CODE = ["-Wno-unused-function", "-Wno-unused-parameter", "-Wno-cast-function-type"]
X86_64 = "#ifndef __x86_64__\n#error another machine\n#endif\nint main(void) { return 0; }\n"
PROBE = "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n"


def extensions(needs_gil: bool) -> list[Extension]:
    """Describe one extension for each .pyx file that needs the GIL, or does not."""
    return [extension(path) for path in MODULES if (path.parent.name in NEEDS_GIL) == needs_gil]


def extension(path: Path) -> Extension:
    """Describe the extension of one .pyx file, which may use the headers beside it."""
    needs_numpy = path.parent.name in NEEDS_NUMPY
    return Extension(
        ".".join(path.relative_to(SOURCE).with_suffix("").parts),
        [str(path)],
        include_dirs=[str(path.parent), *([np.get_include()] if needs_numpy else [])],
        depends=HEADERS,
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")] if needs_numpy else [],
    )


def _stem(extension: Extension) -> str:
    return str(extension.name).rpartition(".")[2]


class BuildExtensions(build_ext):
    """Adds the flags that the compiler at hand understands."""

    def build_extensions(self) -> None:
        """Choose the flags once, then build."""
        # flags come from compiler and environment, which the times of files know nothing of
        self.force = True
        msvc = self.compiler.compiler_type == "msvc"
        compile_flags = ["/O2"] if msvc else ["-O3", "-ffp-contract=off"]
        link_flags = []
        if STRICT and not msvc:
            compile_flags += ["-Wall", "-Wextra", "-Werror", *NOT_OUR_CODE]
        openmp = None if WITHOUT_OPENMP else self._openmp_flags(msvc)
        if openmp:
            compile_flags += openmp[0]
            link_flags += openmp[1]
        print("lunaflow: building", "with OpenMP" if openmp else "without OpenMP (serial kernels)")
        levels = not msvc and all(self._compiles(X86_64, flags, []) for flags in LEVELS.values())
        print("lunaflow: block kernels for any CPU", "and x86-64 v2, v3 and v4" if levels else "")
        left_out = set() if levels else set(LEVELS)
        self.extensions = [e for e in self.extensions if _stem(e) not in left_out]
        for extension in self.extensions:
            extension.extra_compile_args += compile_flags + LEVELS.get(_stem(extension), [])
            extension.extra_link_args += link_flags
        super().build_extensions()

    def _openmp_flags(self, msvc: bool) -> tuple[list[str], list[str]] | None:
        # macOS stays serial unless asked: two copies of libomp in one process crash it
        if sys.platform == "darwin" and os.environ.get("LUNAFLOW_OPENMP") != "1":
            return None
        flags = (["/openmp"], []) if msvc else (["-fopenmp"], ["-fopenmp"])
        return flags if self._compiles(PROBE, *flags) else None

    def _compiles(self, source: str, compile_flags: list[str], link_flags: list[str]) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "probe.c"
            path.write_text(source)
            try:
                objects = self.compiler.compile(
                    [str(path)], output_dir=folder, extra_postargs=compile_flags
                )
                self.compiler.link_executable(
                    objects, "probe", output_dir=folder, extra_postargs=link_flags
                )
            except Exception as reason:  # each compiler class raises its own
                print(f"lunaflow: a test program did not build with {compile_flags}:", reason)
                return False
            try:
                return subprocess.run([str(Path(folder) / "probe")], check=False).returncode == 0
            except OSError:  # built for another machine
                return True


Options.warning_errors = STRICT


def cythonized(needs_gil: bool) -> list[Extension]:
    """Turn the .pyx files that need the GIL, or do not, into C."""
    modules: list[Extension] = cythonize(
        extensions(needs_gil),
        force=STRICT,
        build_dir="build/cython",
        include_path=["src"],
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "freethreading_compatible": not needs_gil,
        },
    )
    return modules


setup(
    ext_modules=[*cythonized(needs_gil=False), *cythonized(needs_gil=True)],
    cmdclass={"build_ext": BuildExtensions},
)
