/* Between a server and its disk: lets chosen calls fail, and records writes and syncs.

   It looks only at the log and the file beside it, by their names' ends. What is to fail is read
   from a small file that the crash test maps, too; what is recorded is appended to another. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 4096 };
enum { WRITE = 1, SYNC = 2, CUT = 3 };
enum { LOG = 1, BESIDE = 2 };

struct wish { /* as `disk.py` writes it */
    int32_t write_error, sync_error, read_error, percent, recording;
    int32_t failed; /* how many did */
};

struct entry { /* as `power.py` reads it; the bytes of a write follow */
    uint64_t began;
    uint32_t kind, file;
    uint64_t offset, length;
};

static unsigned char which[FILES];
static struct wish none, *wish = &none;
static int trace = -1;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_pread)(int, void *, size_t, off64_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_fsync)(int), (*real_fdatasync)(int);
static int (*real_cut)(int, off64_t);

__attribute__((constructor)) static void begin(void) {
    real_open = REAL(open64), real_close = REAL(close);
    real_pwrite = REAL(pwrite64), real_pread = REAL(pread64), real_write = REAL(write);
    real_fsync = REAL(fsync), real_fdatasync = REAL(fdatasync), real_cut = REAL(ftruncate64);
    const char *control = getenv("CRASHTEST_CONTROL"), *file = getenv("CRASHTEST_TRACE");
    int number = control ? real_open(control, O_RDWR | O_CLOEXEC) : -1;
    if (number >= 0) {
        void *found = mmap(0, sizeof *wish, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
        if (found != MAP_FAILED) wish = found;
        real_close(number);
    }
    if (file) trace = real_open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static int opened(int number, const char *path) {
    if (number < 0 || number >= FILES) return number;
    size_t length = strlen(path);
    which[number] = 0;
    if (length > 3 && !strcmp(path + length - 3, ".db")) which[number] = LOG;
    if (length > 7 && !strcmp(path + length - 7, ".db-wal")) which[number] = BESIDE;
    return number;
}

static int fails(int number, int error) {
    if (!error || number < 0 || number >= FILES || !which[number]) return 0;
    if (rand() % 100 >= wish->percent) return 0;
    __atomic_add_fetch(&wish->failed, 1, __ATOMIC_RELAXED);
    errno = error;
    return 1;
}

static int recorded(int number) {
    return wish->recording && trace >= 0 && number >= 0 && number < FILES && which[number];
}

static uint64_t now(void) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    return (uint64_t)at.tv_sec * 1000000u + (uint64_t)at.tv_nsec / 1000;
}

static void record(uint64_t began, int kind, int number, off64_t at, size_t length, const void *what) {
    struct entry entry = {began, (uint32_t)kind, which[number], (uint64_t)at, length};
    if (real_write(trace, &entry, sizeof entry) != (ssize_t)sizeof entry) return;
    if (kind == WRITE && real_write(trace, what, length) != (ssize_t)length) return;
}

#define OPENS(name)                                    \
    int name(const char *path, int flags, ...) {       \
        va_list more;                                  \
        va_start(more, flags);                         \
        mode_t mode = va_arg(more, mode_t);            \
        va_end(more);                                  \
        return opened(real_open(path, flags, mode), path); \
    }
OPENS(open)
OPENS(open64)

int close(int number) {
    if (number >= 0 && number < FILES) which[number] = 0;
    return real_close(number);
}

static ssize_t put(int number, const void *what, size_t length, off64_t at) {
    if (fails(number, wish->write_error)) return -1;
    if (!recorded(number)) return real_pwrite(number, what, length, at);
    pthread_mutex_lock(&order);
    uint64_t began = now();
    ssize_t done = real_pwrite(number, what, length, at);
    if (done > 0) record(began, WRITE, number, at, (size_t)done, what);
    pthread_mutex_unlock(&order);
    return done;
}

ssize_t pwrite(int number, const void *what, size_t length, off_t at) { return put(number, what, length, at); }
ssize_t pwrite64(int number, const void *what, size_t length, off64_t at) { return put(number, what, length, at); }

ssize_t pread64(int number, void *what, size_t length, off64_t at) {
    return fails(number, wish->read_error) ? -1 : real_pread(number, what, length, at);
}
ssize_t pread(int number, void *what, size_t length, off_t at) { return pread64(number, what, length, at); }

static int sync_by(int number, int (*real)(int)) {
    if (fails(number, wish->sync_error)) return -1;
    if (!recorded(number)) return real(number);
    pthread_mutex_lock(&order);
    uint64_t began = now();
    int failed = real(number);
    if (!failed) record(began, SYNC, number, 0, 0, 0);
    pthread_mutex_unlock(&order);
    return failed;
}

int fsync(int number) { return sync_by(number, real_fsync); }
int fdatasync(int number) { return sync_by(number, real_fdatasync); }

static int cut(int number, off64_t length) {
    if (!recorded(number)) return real_cut(number, length);
    pthread_mutex_lock(&order);
    uint64_t began = now();
    int failed = real_cut(number, length);
    if (!failed) record(began, CUT, number, length, 0, 0);
    pthread_mutex_unlock(&order);
    return failed;
}

int ftruncate(int number, off_t length) { return cut(number, length); }
int ftruncate64(int number, off64_t length) { return cut(number, length); }
