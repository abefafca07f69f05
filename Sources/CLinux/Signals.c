#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

// --- interrupts ---

static atomic_int interrupt_signal;
static atomic_llong interrupt_time;

static long long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void note_interrupt(int number) {
    int code = errno;
    int none = 0;
    if (atomic_compare_exchange_strong(&interrupt_signal, &none, number)) {
        atomic_store(&interrupt_time, milliseconds());
    } else if (milliseconds() - atomic_load(&interrupt_time) > 500) {
        // Somebody insists. (Sooner it may be one signal that a wrapper sent on.)
        signal(number, SIG_DFL);
        raise(number);
    }
    errno = code;
}

// The last one is only held, not watched for.
static const int noted_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { watched_count = 3, noted_count = sizeof noted_signals / sizeof *noted_signals };

// What changes the effects of these signals has the mutex; no handler takes it.
static pthread_mutex_t interrupt_mutex = PTHREAD_MUTEX_INITIALIZER;
static int hold_count;
static int is_held[noted_count];

static int has_handler(const struct sigaction *action, void (*handler)(int)) {
    return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == handler;
}

static int note(int number) {
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, NULL) == 0;
}

void strongroom_watch_interrupts(void) {
    pthread_mutex_lock(&interrupt_mutex);
    for (int i = 0; i < watched_count; i++) {
        struct sigaction before;
        if (sigaction(noted_signals[i], NULL, &before) != 0) continue;
        // nohup(1), or a shell without job control, wants it ignored.
        if (has_handler(&before, SIG_IGN)) continue;
        if (note(noted_signals[i])) is_held[i] = 0;
    }
    pthread_mutex_unlock(&interrupt_mutex);
}

void strongroom_hold_interrupts(void) {
    pthread_mutex_lock(&interrupt_mutex);
    if (hold_count++ == 0) {
        for (int i = 0; i < noted_count; i++) {
            struct sigaction before;
            is_held[i] = sigaction(noted_signals[i], NULL, &before) == 0 &&
                         has_handler(&before, SIG_DFL) && note(noted_signals[i]);
        }
    }
    pthread_mutex_unlock(&interrupt_mutex);
}

int strongroom_let_interrupts_go(void) {
    int came = 0;
    pthread_mutex_lock(&interrupt_mutex);
    if (--hold_count == 0) {
        for (int i = 0; i < noted_count; i++) {
            if (!is_held[i]) continue;
            struct sigaction now;
            if (sigaction(noted_signals[i], NULL, &now) == 0 && has_handler(&now, note_interrupt)) {
                signal(noted_signals[i], SIG_DFL);
            }
            int number = noted_signals[i];
            if (atomic_compare_exchange_strong(&interrupt_signal, &number, 0)) {
                came = noted_signals[i];
            }
            is_held[i] = 0;
        }
    }
    pthread_mutex_unlock(&interrupt_mutex);
    return came;
}

int strongroom_wait_for_input(int descriptor) {
    sigset_t blocked, before;
    sigemptyset(&blocked);
    for (int i = 0; i < watched_count; i++) sigaddset(&blocked, noted_signals[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    int result = 0;
    // Between the look at the flag and the wait no signal gets in: ppoll lets them in as it begins to wait.
    while (!strongroom_interrupt()) {
        struct pollfd request = {.fd = descriptor, .events = POLLIN};
        int count = ppoll(&request, 1, NULL, &before);
        if (count < 0 && errno == EINTR) continue;
        result = count < 0 ? -1 : 1;
        break;
    }
    int code = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return result;
}

int strongroom_interrupt(void) {
    return atomic_load(&interrupt_signal);
}

void strongroom_set_default(int number) {
    signal(number, SIG_DFL);
}

void strongroom_raise(int number) {
    sigset_t one, before;
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, &before);
    raise(number);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// --- relay ---

// Made once and never closed: a handler that runs late in another thread must not write into another file.
static int relay_ends[2] = {-1, -1};
static pid_t relay_process;
static const int relay_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGALRM,   SIGUSR1,
                                    SIGUSR2, SIGXCPU, SIGPROF, SIGPWR,  SIGVTALRM, SIGTSTP,
                                    SIGTTIN, SIGTTOU, SIGCONT, SIGPOLL};
enum { relay_count = sizeof relay_signals / sizeof *relay_signals };
static struct sigaction relay_before[relay_count];
static int relay_is_set[relay_count];

static void relay(int number) {
    int code = errno;
    unsigned char byte = (unsigned char)number;
    // A full pipe holds signals enough.
    ssize_t count = write(relay_ends[1], &byte, 1);
    (void)count;
    errno = code;
}

int strongroom_start_relay(void) {
    // A forked child takes a pipe of its own.
    if (relay_ends[0] < 0 || relay_process != getpid()) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
        relay_ends[0] = ends[0];
        relay_ends[1] = ends[1];
        relay_process = getpid();
    }
    for (int i = 0; i < relay_count; i++) {
        relay_is_set[i] = 0;
        if (sigaction(relay_signals[i], NULL, &relay_before[i]) != 0) continue;
        if (!(relay_before[i].sa_flags & SA_SIGINFO) && relay_before[i].sa_handler == SIG_IGN) {
            continue;
        }
        // Not restarted: the call that a signal interrupts shall return.
        struct sigaction action = {.sa_handler = relay};
        sigemptyset(&action.sa_mask);
        relay_is_set[i] = sigaction(relay_signals[i], &action, NULL) == 0;
    }
    return relay_ends[0];
}

void strongroom_stop_relay(void) {
    for (int i = 0; i < relay_count; i++) {
        if (relay_is_set[i]) sigaction(relay_signals[i], &relay_before[i], NULL);
        relay_is_set[i] = 0;
    }
}
