#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

int strongroom_openat(int directory, const char *path, int flags, unsigned mode) {
    return openat(directory, path, flags, mode);
}

int strongroom_o_tmpfile(void) {
    return O_TMPFILE;
}

int strongroom_renameat2(int from, const char *old_path, int to, const char *new_path,
                         unsigned flags) {
    return (int)syscall(SYS_renameat2, from, old_path, to, new_path, flags);
}

int strongroom_status(int directory, const char *path, int follows_link,
                      struct strongroom_status *found) {
    struct statx all;
    int flags = (follows_link ? 0 : AT_SYMLINK_NOFOLLOW) | (*path ? 0 : AT_EMPTY_PATH);
    unsigned mask = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_UID | STATX_GID | STATX_INO |
                    STATX_SIZE | STATX_BLOCKS;
    if (statx(directory, path, flags, mask, &all) != 0) return -1;
    found->mode = all.stx_mode;
    found->owner = all.stx_uid;
    found->group = all.stx_gid;
    found->byte_count = all.stx_size;
    found->block_count = all.stx_blocks;
    found->link_count = all.stx_nlink;
    found->device = makedev(all.stx_dev_major, all.stx_dev_minor);
    found->inode = all.stx_ino;
    return 0;
}

int strongroom_has_file_size_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

int strongroom_start_sync(int file, int64_t offset, int64_t byte_count) {
    return sync_file_range(file, offset, byte_count, SYNC_FILE_RANGE_WRITE);
}

int strongroom_is_on_network(int file) {
    struct statfs found;
    if (fstatfs(file, &found) != 0) return -1;
    // The numbers of statfs(2); FUSE may be anything, so it counts.
    switch ((unsigned)found.f_type) {
    case 0x6969:     // NFS
    case 0x517B:     // SMB
    case 0xFE534D42: // SMB2
    case 0xFF534D42: // CIFS
    case 0x5346414F: // AFS
    case 0x6B414653: // AFS of the kernel
    case 0x73757245: // Coda
    case 0x564C:     // NCP
    case 0x01021997: // 9P
    case 0x65735546: // FUSE
    case 0x00C36400: // Ceph
    case 0x01161970: // GFS2
    case 0x7461636F: // OCFS2
    case 0x0BD00BD0: // Lustre
    case 0x47504653: // GPFS
    case 0x20030528: // OrangeFS
    case 0x19830326: // BeeGFS
    case 0x786F4256: // shared folders of VirtualBox
        return 1;
    default:
        return 0;
    }
}

int strongroom_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}

int strongroom_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC);
}

int strongroom_set_close_on_exec(int descriptor, int is_set) {
    int flags = fcntl(descriptor, F_GETFD);
    if (flags < 0) return -1;
    return fcntl(descriptor, F_SETFD, is_set ? flags | FD_CLOEXEC : flags & ~FD_CLOEXEC);
}

int strongroom_open_standard_streams(void) {
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) continue;
        // The lowest free number is taken: this one, since the ones below it are open. Input opened for writing, and
        // output for reading: whoever uses them gets an error, as if they were still closed, and no value is lost unseen.
        int opened = open("/dev/null", descriptor == 1 ? O_RDONLY : O_WRONLY);
        if (opened < 0) return -1;
    }
    return 0;
}

void strongroom_wipe(void *memory, size_t byte_count) {
    explicit_bzero(memory, byte_count);
}

void strongroom_set_thread_name(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

char **strongroom_environment(void) {
    return environ;
}

int strongroom_forbid_core_dumps(unsigned long long *soft, unsigned long long *hard) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return -1;
    *soft = limit.rlim_cur;
    *hard = limit.rlim_max;
    // The hard limit stays: only so can a child be given back what was found.
    limit.rlim_cur = 0;
    if (setrlimit(RLIMIT_CORE, &limit) != 0) return -1;
    // The Swift runtime's crash reports show registers and the memory that they point to.
    const int signals[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int strongroom_set_core_limit(unsigned long long soft, unsigned long long hard) {
    struct rlimit limit = {.rlim_cur = soft, .rlim_max = hard};
    return setrlimit(RLIMIT_CORE, &limit);
}

static int fill_and_seal(int file, const char *bytes, size_t byte_count) {
    while (byte_count > 0) {
        ssize_t written = write(file, bytes, byte_count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return -1;
        bytes += written;
        byte_count -= (size_t)written;
    }
    if (fchmod(file, 0400) != 0 || lseek(file, 0, SEEK_SET) != 0) return -1;
    return fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
}

int strongroom_sealed_file(const void *bytes, size_t byte_count) {
    // MFD_NOEXEC_SEAL, which kernels before 6.3 do not know: what is in it is not to be run.
    int file = memfd_create("strongroom", MFD_ALLOW_SEALING | 0x0008U);
    if (file < 0 && errno == EINVAL) file = memfd_create("strongroom", MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    if (fill_and_seal(file, bytes, byte_count) == 0) return file;
    int code = errno;
    close(file);
    errno = code;
    return -1;
}

int strongroom_terminal_width(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static int argument_count;
static char *const *arguments_kept;

#ifdef __GLIBC__
// The C library of GNU gives a constructor what it gives main. The Swift runtime reads /proc/self/cmdline, which fails
// where no descriptor is free.
__attribute__((constructor)) static void keep_arguments(int count, char *const arguments[]) {
    argument_count = count;
    arguments_kept = arguments;
}
#endif

int strongroom_argument_count(void) {
    return argument_count;
}

char *const *strongroom_arguments(void) {
    return arguments_kept;
}

int strongroom_spawn(const char *program, char *const arguments[], char *const environment[],
                     int output, int is_silent, int *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGCHLD);

    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0) return code;
    code = posix_spawnattr_init(&attributes);
    if (code != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    if ((code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)) == 0 &&
        (code = posix_spawn_file_actions_adddup2(&actions, output, 1)) == 0 &&
        (!is_silent ||
         (code = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)) == 0) &&
        (code = posix_spawn_file_actions_addclosefrom_np(&actions, 3)) == 0 &&
        (code = posix_spawnattr_setpgroup(&attributes, 0)) == 0 &&
        (code = posix_spawnattr_setsigmask(&attributes, &none)) == 0 &&
        (code = posix_spawnattr_setsigdefault(&attributes, &defaults)) == 0 &&
        (code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                                          POSIX_SPAWN_SETSIGMASK |
                                                          POSIX_SPAWN_SETSIGDEF)) == 0) {
        pid_t child = 0;
        code = posix_spawn(&child, program, &actions, &attributes, arguments, environment);
        *process = child;
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}
