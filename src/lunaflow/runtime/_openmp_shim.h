/* Every OpenMP and fork symbol the library needs, with a fallback where there is none. */
#ifndef LUNAFLOW_OPENMP_SHIM_H
#define LUNAFLOW_OPENMP_SHIM_H

#ifndef _WIN32
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>
#endif

#ifdef _OPENMP
#include <omp.h>
#define LUNAFLOW_OPENMP_VERSION _OPENMP
#else
#define LUNAFLOW_OPENMP_VERSION 0
#endif

/* OpenMP runtimes keep a pool of threads that fork does not copy: a child must stay serial.
   pthread_atfork also sees forks made by C code, which os.register_at_fork does not; the process
   number tells of the few (_Fork, raw system calls) that run no handler. */
static volatile int lunaflow_fork_noted = 0;

#ifdef _WIN32
static int lunaflow_watch_forks(void) { return 0; }
static inline int lunaflow_forked(void) { return 0; }
static const char *lunaflow_openmp_library(void) { return 0; }
#else
static pid_t lunaflow_home = 0;
static void lunaflow_note_fork(void) { lunaflow_fork_noted = 1; }
static int lunaflow_watch_forks(void) {
    lunaflow_home = getpid();
    return pthread_atfork(0, 0, lunaflow_note_fork);
}
static inline int lunaflow_forked(void) { return lunaflow_fork_noted || getpid() != lunaflow_home; }

/* The file the OpenMP runtime was loaded from; looks an address up, calls nothing of it. */
static const char *lunaflow_openmp_library(void) {
#ifdef _OPENMP
    Dl_info info;
    if (dladdr((void *)omp_get_num_procs, &info) != 0) return info.dli_fname;
#endif
    return 0;
}
#endif

#endif
