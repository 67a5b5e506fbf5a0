/* Fails, tears or kills at the Nth call of the kinds that are armed, for paths below the folders that are watched.
 *
 * Loaded with LD_PRELOAD, so it reaches Python, LanceDB's Rust and DuckDB's and SQLite's C alike. The state lives in
 * shared memory: the parent of a forked child reads what the child came to, even after SIGKILL. Processes that a child
 * executes get a state of their own, which is not armed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, WRITE = 2, NAME = 4, ALLOCATE = 8 };
enum { FAIL_ONCE = 0, FAIL_ON = 1, KILL = 2 };

static struct state {
    atomic_int armed;
    atomic_long count;
    int kinds, action, error, folders;
    long at, large;
    char call[64], path[PATH_MAX];
    char watched[8][PATH_MAX];
} *state;

__attribute__((constructor)) static void begin(void) {
    void *page = (void *)syscall(SYS_mmap, NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0L);
    if (page != MAP_FAILED) state = page;
}

void faults_watch(const char *folder) {
    if (state->folders < 8) snprintf(state->watched[state->folders++], PATH_MAX, "%s/", folder);
}

void faults_unwatch(void) { state->folders = 0; }

/* at 0 counts only; large is the size in bytes from which an allocation counts. */
void faults_arm(int kinds, long at, int error, int action, long large) {
    state->kinds = kinds, state->at = at, state->error = error, state->action = action, state->large = large;
    state->call[0] = state->path[0] = 0;
    atomic_store(&state->count, 0);
    atomic_store(&state->armed, 1);
}

void faults_disarm(void) { atomic_store(&state->armed, 0); }
long faults_count(void) { return atomic_load(&state->count); }
const char *faults_call(void) { return state->call; }
const char *faults_path(void) { return state->path; }

static int is_armed(int kind) { return state && atomic_load(&state->armed) && (state->kinds & kind); }

static int is_below(const char *path) {
    for (int folder = 0; folder < state->folders; folder++) {
        size_t length = strlen(state->watched[folder]);
        if (!strncmp(path, state->watched[folder], length)) return 1;
        if (strlen(path) + 1 == length && !strncmp(path, state->watched[folder], length - 1)) return 1;
    }
    return 0;
}

static const char *of_fd(int fd, char *buffer) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, PATH_MAX - 1);
    buffer[length < 0 ? 0 : length] = 0;
    return buffer;
}

static const char *absolute(int folder, const char *path, char *buffer) {
    if (!path || path[0] == '/') return path ? path : "";
    char base[PATH_MAX];
    if (folder == AT_FDCWD) {
        if (syscall(SYS_getcwd, base, sizeof base) < 0) return "";
    } else of_fd(folder, base);
    if (snprintf(buffer, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return "";
    return buffer;
}

static void die(void) {
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    for (;;) pause();
}

/* True when this call is to fail. A call that is to end the process tears what it writes: half of it is written. */
static int due(const char *call, const char *path, int fd, const void *data, size_t size, off_t offset) {
    long number = atomic_fetch_add(&state->count, 1) + 1;
    if (state->at == 0 || number < state->at || (number > state->at && state->action != FAIL_ON)) return 0;
    if (number == state->at) {
        snprintf(state->call, sizeof state->call, "%s", call);
        snprintf(state->path, sizeof state->path, "%s", path);
    }
    if (state->action == KILL) {
        if (data && size > 1) {
            if (offset < 0) syscall(SYS_write, fd, data, size / 2);
            else syscall(SYS_pwrite64, fd, data, size / 2, offset);
        }
        die();
    }
    errno = state->error;
    return 1;
}

static int path_fails(int kind, const char *call, int folder, const char *path) {
    if (!is_armed(kind)) return 0;
    char buffer[PATH_MAX];
    const char *whole = absolute(folder, path, buffer);
    return is_below(whole) && due(call, whole, -1, NULL, 0, -1);
}

static int fd_fails(const char *call, int fd, const void *data, size_t size, off_t offset) {
    if (!is_armed(WRITE)) return 0;
    char buffer[PATH_MAX];
    int kept = errno;
    const char *path = of_fd(fd, buffer);
    errno = kept;
    return is_below(path) && due(call, path, fd, data, size, offset);
}

#define REAL(name, ...) ({ static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name); real(__VA_ARGS__); })

#define OPENING(name)                                                     \
    int name(const char *path, int flags, ...) {                          \
        va_list rest; va_start(rest, flags);                              \
        mode_t mode = va_arg(rest, mode_t); va_end(rest);                 \
        if (path_fails(OPEN, #name, AT_FDCWD, path)) return -1;           \
        return REAL(name, path, flags, mode);                             \
    }
OPENING(open)
OPENING(open64)

#define OPENING_AT(name)                                                  \
    int name(int folder, const char *path, int flags, ...) {              \
        va_list rest; va_start(rest, flags);                              \
        mode_t mode = va_arg(rest, mode_t); va_end(rest);                 \
        if (path_fails(OPEN, #name, folder, path)) return -1;             \
        return REAL(name, folder, path, flags, mode);                     \
    }
OPENING_AT(openat)
OPENING_AT(openat64)

ssize_t write(int fd, const void *data, size_t size) {
    return fd_fails("write", fd, data, size, -1) ? -1 : REAL(write, fd, data, size);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
    return fd_fails("pwrite", fd, data, size, offset) ? -1 : REAL(pwrite, fd, data, size, offset);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
    return fd_fails("pwrite64", fd, data, size, offset) ? -1 : REAL(pwrite64, fd, data, size, offset);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    return fd_fails("writev", fd, count ? parts[0].iov_base : NULL, count ? parts[0].iov_len : 0, -1)
               ? -1 : REAL(writev, fd, parts, count);
}
int fsync(int fd) { return fd_fails("fsync", fd, NULL, 0, -1) ? -1 : REAL(fsync, fd); }
int fdatasync(int fd) { return fd_fails("fdatasync", fd, NULL, 0, -1) ? -1 : REAL(fdatasync, fd); }
int ftruncate(int fd, off_t size) { return fd_fails("ftruncate", fd, NULL, 0, -1) ? -1 : REAL(ftruncate, fd, size); }
int ftruncate64(int fd, off64_t size) { return fd_fails("ftruncate64", fd, NULL, 0, -1) ? -1 : REAL(ftruncate64, fd, size); }
int posix_fallocate(int fd, off_t from, off_t size) {
    return fd_fails("posix_fallocate", fd, NULL, 0, -1) ? errno : REAL(posix_fallocate, fd, from, size);
}

int rename(const char *from, const char *to) {
    return path_fails(NAME, "rename", AT_FDCWD, to) ? -1 : REAL(rename, from, to);
}
int renameat(int a, const char *from, int b, const char *to) {
    return path_fails(NAME, "renameat", b, to) ? -1 : REAL(renameat, a, from, b, to);
}
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    return path_fails(NAME, "renameat2", b, to) ? -1 : REAL(renameat2, a, from, b, to, flags);
}
int link(const char *from, const char *to) { return path_fails(NAME, "link", AT_FDCWD, to) ? -1 : REAL(link, from, to); }
int linkat(int a, const char *from, int b, const char *to, int flags) {
    return path_fails(NAME, "linkat", b, to) ? -1 : REAL(linkat, a, from, b, to, flags);
}
int unlink(const char *path) { return path_fails(NAME, "unlink", AT_FDCWD, path) ? -1 : REAL(unlink, path); }
int unlinkat(int folder, const char *path, int flags) {
    return path_fails(NAME, "unlinkat", folder, path) ? -1 : REAL(unlinkat, folder, path, flags);
}
int rmdir(const char *path) { return path_fails(NAME, "rmdir", AT_FDCWD, path) ? -1 : REAL(rmdir, path); }
int mkdir(const char *path, mode_t mode) { return path_fails(NAME, "mkdir", AT_FDCWD, path) ? -1 : REAL(mkdir, path, mode); }
int mkdirat(int folder, const char *path, mode_t mode) {
    return path_fails(NAME, "mkdirat", folder, path) ? -1 : REAL(mkdirat, folder, path, mode);
}

/* Allocations have no path: the large ones count, as those of buffers, columns and matrices are. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);

static int memory_fails(const char *call, size_t size) {
    return is_armed(ALLOCATE) && (long)size >= state->large && due(call, "", -1, NULL, 0, -1);
}

void *malloc(size_t size) { return memory_fails("malloc", size) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return memory_fails("calloc", count * size) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return memory_fails("realloc", size) ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) {
    return memory_fails("memalign", size) ? NULL : __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    return memory_fails("aligned_alloc", size) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void **place, size_t alignment, size_t size) {
    void *found = memory_fails("posix_memalign", size) ? NULL : __libc_memalign(alignment, size);
    if (!found) return ENOMEM;
    *place = found;
    return 0;
}
void *mmap(void *place, size_t size, int protection, int flags, int fd, off_t offset) {
    if (fd < 0 && !(flags & MAP_FIXED) && (protection & PROT_WRITE) && memory_fails("mmap", size)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, place, size, protection, flags, fd, offset);
}
void *mmap64(void *place, size_t size, int protection, int flags, int fd, off64_t offset) {
    return mmap(place, size, protection, flags, fd, offset);
}
