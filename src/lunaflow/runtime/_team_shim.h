/* Which call has OpenMP's helpers, and whether the system would start them.

   One call at a time has helpers, however many Python threads call; the others work alone meanwhile.
   libgomp ends the process when it cannot start a thread. So the threads that it is about to start
   are started here first, and ended again, and a call takes as many as there could be. It also
   keeps the helpers of each calling thread asleep: no more are kept than there are CPUs. */
#ifndef LUNAFLOW_TEAM_SHIM_H
#define LUNAFLOW_TEAM_SHIM_H

#include "_openmp_shim.h"

#ifndef _OPENMP
static int lunaflow_prepare_teams(void) { return 0; }
static int lunaflow_likely_team(int wanted) { (void)wanted; return 1; }
static int lunaflow_take_team(int wanted) { (void)wanted; return 1; }
static void lunaflow_give_team(int team) { (void)team; }

#elif defined(_WIN32)
#include <intrin.h>

static volatile long lunaflow_team_taken = 0;

static int lunaflow_prepare_teams(void) { return 0; }
static int lunaflow_likely_team(int wanted) {
    return lunaflow_team_taken || omp_in_parallel() ? 1 : wanted;
}
static int lunaflow_take_team(int wanted) {
    if (wanted < 2 || omp_in_parallel()) return 1;
    return _InterlockedCompareExchange(&lunaflow_team_taken, 1, 0) == 0 ? wanted : 1;
}
static void lunaflow_give_team(int team) {
    if (team > 1) (void)_InterlockedExchange(&lunaflow_team_taken, 0);
}

#else
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#if _OPENMP >= 201811 || (defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9)
#define LUNAFLOW_RELEASE_HELPERS() ((void)omp_pause_resource_all(omp_pause_soft))
#endif

typedef struct {
    pthread_t thread;
    long id;
} lunaflow_trial;

static pthread_mutex_t lunaflow_team_taken = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lunaflow_gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_attr_t lunaflow_helper_attributes;
static pthread_key_t lunaflow_kept; /* how many helpers OpenMP keeps for this thread */
static int lunaflow_kept_in_all = 0;
static int lunaflow_unlimited = 0; /* a thread's number of OpenMP threads unless it is told another */

static void lunaflow_caller_ended(void *kept) {
    __atomic_sub_fetch(&lunaflow_kept_in_all, (int)(intptr_t)kept, __ATOMIC_RELAXED);
}

/* OMP_STACKSIZE as OpenMP reads it: a number of KiB, or with B, K, M or G behind; else 0. */
static size_t lunaflow_stack_size(const char *name) {
    static const char units[] = "bkmg";
    const char *text = getenv(name);
    char *end;
    int unit = 1;
    unsigned long long size;
    if (text == 0) return 0;
    size = strtoull(text, &end, 10);
    if (end == text) return 0;
    while (*end == ' ' || *end == '\t') end++;
    if (*end != 0)
        for (unit = 0; units[unit] != 0 && units[unit] != (*end | 0x20); unit++) continue;
    return unit > 3 || size > SIZE_MAX >> 10 * unit ? 0 : (size_t)size << 10 * unit;
}

static int lunaflow_prepare_teams(void) {
    size_t size = lunaflow_stack_size("OMP_STACKSIZE");
    if (size == 0) size = lunaflow_stack_size("GOMP_STACKSIZE");
    if (pthread_attr_init(&lunaflow_helper_attributes) != 0) return -1;
    /* OpenMP too leaves a size that the system refuses as it was */
    if (size != 0) (void)pthread_attr_setstacksize(&lunaflow_helper_attributes, size);
    return pthread_key_create(&lunaflow_kept, lunaflow_caller_ended);
}

static void *lunaflow_try(void *trial) {
#ifdef __linux__
    ((lunaflow_trial *)trial)->id = syscall(SYS_gettid);
#else
    (void)trial;
#endif
    __atomic_store_n(&lunaflow_unlimited, omp_get_max_threads(), __ATOMIC_RELAXED);
    pthread_mutex_lock(&lunaflow_gate);
    pthread_mutex_unlock(&lunaflow_gate);
    return 0;
}

/* A joined thread counts against the limits until the system has forgotten it. */
static void lunaflow_await_end(const lunaflow_trial *trial) {
    pthread_join(trial->thread, 0);
#ifdef __linux__
    for (int tries = 0; tries < 10000; tries++) {
        if (syscall(SYS_tgkill, (long)getpid(), trial->id, 0) != 0) return;
        sched_yield();
    }
#endif
}

/* How many of `wanted` more threads the system would start now, all at once. */
static int lunaflow_startable(int wanted) {
    lunaflow_trial *trials = (lunaflow_trial *)calloc((size_t)wanted, sizeof(lunaflow_trial));
    sigset_t all, before;
    int started = 0;
    if (trials == 0) return 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* no handler runs on them */
    pthread_mutex_lock(&lunaflow_gate);
    while (started < wanted && pthread_create(&trials[started].thread, &lunaflow_helper_attributes,
                                              lunaflow_try, &trials[started]) == 0)
        started++;
    pthread_mutex_unlock(&lunaflow_gate);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    for (int t = 0; t < started; t++) lunaflow_await_end(&trials[t]);
    free(trials);
    return started;
}

/* How many threads a call may have that wants so many: one in a child and inside a parallel
   region, and no more than this thread is limited to (omp_set_num_threads, threadpoolctl). What
   the environment says is no limit to a caller that names a number: a fresh thread has it. */
static int lunaflow_permitted(int wanted) {
    int limit;
    if (wanted < 2 || lunaflow_forked() || omp_get_level() > 0) return 1;
    if (__atomic_load_n(&lunaflow_unlimited, __ATOMIC_RELAXED) == 0) {
        if (pthread_mutex_trylock(&lunaflow_team_taken) != 0) return 1;
        limit = lunaflow_startable(1);
        pthread_mutex_unlock(&lunaflow_team_taken);
        if (limit == 0) return 1;
    }
    limit = omp_get_thread_limit();
    wanted = wanted < limit ? wanted : limit;
    limit = omp_get_max_threads();
    if (limit >= __atomic_load_n(&lunaflow_unlimited, __ATOMIC_RELAXED)) return wanted;
    return wanted < limit ? wanted : limit;
}

/* What a call may count on when it divides its work: one while another call has the helpers. */
static int lunaflow_likely_team(int wanted) {
    wanted = lunaflow_permitted(wanted);
    if (wanted < 2 || pthread_mutex_trylock(&lunaflow_team_taken) != 0) return 1;
    pthread_mutex_unlock(&lunaflow_team_taken);
    return wanted;
}

static void lunaflow_keep(int helpers) {
    int before = (int)(intptr_t)pthread_getspecific(lunaflow_kept);
    if (before == helpers || pthread_setspecific(lunaflow_kept, (void *)(intptr_t)helpers) != 0)
        return;
    __atomic_add_fetch(&lunaflow_kept_in_all, helpers - before, __ATOMIC_RELAXED);
}

/* The size of the team that a region may have now. One of more than this thread alone is to be
   given back by the same thread, soon. */
static int lunaflow_take_team(int wanted) {
    int kept, more;
    wanted = lunaflow_permitted(wanted);
    if (wanted < 2 || pthread_mutex_trylock(&lunaflow_team_taken) != 0) return 1;
    /* where OpenMP chooses the sizes, fewer may be there than it was asked for */
    kept = omp_get_dynamic() ? 0 : (int)(intptr_t)pthread_getspecific(lunaflow_kept);
    more = wanted - 1 - kept;
    if (more > 0) more = lunaflow_startable(more);
    if (kept + more == 0) {
        pthread_mutex_unlock(&lunaflow_team_taken);
        return 1;
    }
    lunaflow_keep(kept + more); /* OpenMP ends those that the next region leaves out */
    return 1 + kept + more;
}

static void lunaflow_give_team(int team) {
    int in_all;
    if (team < 2) return;
    in_all = __atomic_load_n(&lunaflow_kept_in_all, __ATOMIC_RELAXED);
#ifdef LUNAFLOW_RELEASE_HELPERS
    if (in_all >= team && in_all > omp_get_num_procs()) {
        LUNAFLOW_RELEASE_HELPERS();
        lunaflow_keep(0);
    }
#else
    (void)in_all;
#endif
    pthread_mutex_unlock(&lunaflow_team_taken);
}
#endif

#endif
