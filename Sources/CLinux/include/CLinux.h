// What the Glibc module does not show, and what has to be C: signal handlers and the child side of a spawn.
// Only plain types stand here: a system header included from two modules under different feature macros would be
// two different modules to the Swift compiler.
#ifndef STRONGROOM_CLINUX_H
#define STRONGROOM_CLINUX_H

#include <stddef.h>
#include <stdint.h>

// --- files ---

#define STRONGROOM_RENAME_NOREPLACE 1u
#define STRONGROOM_RENAME_EXCHANGE 2u

// openat(2), whose variable arguments Swift cannot call.
int strongroom_openat(int directory, const char *path, int flags, unsigned mode);

// O_TMPFILE, a macro that Swift does not import.
int strongroom_o_tmpfile(void);

// renameat2(2): rename with flags; -1 and errno on failure.
int strongroom_renameat2(int from, const char *old_path, int to, const char *new_path,
                         unsigned flags);

// What statx(2) says of a name or an open file, but for its times.
struct strongroom_status {
    unsigned mode, owner, group;
    unsigned long long byte_count, block_count, link_count, device, inode;
};

// Fills in what `path` in `directory`, or for an empty path the open file `directory` itself, is. -1 and errno on
// failure.
//
// The times are not asked for: a kernel with fine time stamps (6.13) gives a file whose times were looked at a new one
// with its next write, and then a sync of the data has to write the inode too.
int strongroom_status(int directory, const char *path, int follows_link,
                      struct strongroom_status *found);

// 1 if the size of files is limited for this process (getrlimit(2)), else 0.
int strongroom_has_file_size_limit(void);

// Begins to write a part of a file to the disk (sync_file_range(2)).
int strongroom_start_sync(int file, int64_t offset, int64_t byte_count);

// 1 if the disk of an open file is shared by machines, as far as its kind says (statfs(2)), else 0; -1 and errno on
// failure.
int strongroom_is_on_network(int file);

// A pipe whose ends are closed on exec: the reading one first. -1 and errno on failure.
int strongroom_pipe(int ends[2]);

// An event counter, closed on exec (eventfd(2)). -1 and errno on failure.
int strongroom_eventfd(void);

// Sets or clears O_CLOEXEC of a descriptor; -1 and errno on failure.
int strongroom_set_close_on_exec(int descriptor, int is_set);

// Opens /dev/null in the place of each of descriptors 0, 1 and 2 that is not open, so that reading 0 and writing 1
// still fails. -1 and errno on failure.
int strongroom_open_standard_streams(void);

// --- memory ---

// Overwrites memory in a way that the compiler cannot leave out (explicit_bzero(3)).
void strongroom_wipe(void *memory, size_t byte_count);

// --- process ---

// Names the calling thread by the first 15 bytes of `name` (prctl(2), PR_SET_NAME).
void strongroom_set_thread_name(const char *name);

// environ(7), which is not to be touched from Swift as the variable that it is.
char **strongroom_environment(void);

// Sets the limit of core dumps to 0, after storing what the limits were, makes the process not dumpable, and gives
// the signals of crashes their default effects. -1 and errno on failure.
int strongroom_forbid_core_dumps(unsigned long long *soft, unsigned long long *hard);

// Sets the limits of core dumps. -1 and errno on failure.
int strongroom_set_core_limit(unsigned long long soft, unsigned long long hard);

// The arguments that the process was started with, as main has them; 0 and NULL where the C library does not tell.
int strongroom_argument_count(void);
char *const *strongroom_arguments(void);

// A file in memory of these bytes, which nobody can change any more (memfd_create(2)), at its beginning; it is not closed
// on exec. -1 and errno on failure.
int strongroom_sealed_file(const void *bytes, size_t byte_count);

// Starts a program in a process group of its own: standard input from /dev/null, standard output into `output`,
// standard error ours or, with `is_silent`, /dev/null; every other descriptor closed, nothing blocked. Returns 0 and
// the process, or an errno.
int strongroom_spawn(const char *program, char *const arguments[], char *const environment[],
                     int output, int is_silent, int *process);

// --- terminal ---

// The columns of a terminal, 0 if it does not say.
int strongroom_terminal_width(int descriptor);

// --- signals ---

// From now on SIGINT, SIGTERM and SIGHUP are noted, but for those that are ignored already. A second one more than
// half a second after the first takes its default effect.
void strongroom_watch_interrupts(void);

// The first signal noted, or 0.
int strongroom_interrupt(void);

// Waits until `descriptor` can be read or is at its end (1), or until a watched signal came, before or meanwhile, to this
// thread (0); -1 with errno if it cannot wait.
int strongroom_wait_for_input(int descriptor);

// Until the call that ends it (or the last of them), notes those of SIGINT, SIGTERM, SIGHUP and SIGQUIT that have
// their default effects.
void strongroom_hold_interrupts(void);

// Gives the signals back their effects, and returns the one that was noted and that nobody else watches for, or 0.
int strongroom_let_interrupts_go(void);

// Gives a signal its default effect.
void strongroom_set_default(int signal);

// Raises a signal in the calling thread, where it is unblocked for that.
void strongroom_raise(int signal);

// Starts to report the signals that would end, stop or continue the process into a pipe, one byte each, and
// returns its reading end, which stays open; -1 and errno on failure. Those that are ignored stay ignored.
int strongroom_start_relay(void);

// Gives the signals the effects that they had before.
void strongroom_stop_relay(void);

#endif
