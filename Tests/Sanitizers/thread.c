// Tells ThreadSanitizer how threads wait for each other in libraries that are not built with it: Swift's Mutex and lazy
// globals, GLib's mutexes and conditions, and the threads of GStreamer that call back. The linker lets the plugin call these
// functions instead (--wrap).

#include <stdint.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

// MARK: - Mutex: where it is free, code of our own takes it, which the sanitizer sees.

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

// Synchronization._MutexHandle._lockSlow(UInt32)
SWIFT void real_lock(uint32_t thread, SELF) __asm__("__real_$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void wrap_lock(uint32_t thread, SELF) __asm__("__wrap_$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void wrap_lock(uint32_t thread, SELF) {
    real_lock(thread, mutex);
    __tsan_acquire(mutex);
}

// Synchronization._MutexHandle._unlockSlow()
SWIFT void real_unlock(SELF) __asm__("__real_$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
SWIFT void wrap_unlock(SELF) __asm__("__wrap_$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
SWIFT void wrap_unlock(SELF) {
    __tsan_release(mutex);
    real_unlock(mutex);
}

// MARK: - Lazy globals: one thread makes the value, all others see it.

struct once {
    void *predicate, *context;
    void (*body)(void *);
};

static void run_once(void *data) {
    struct once *once = data;
    once->body(once->context);
    __tsan_release(once->predicate);
}

void __real_swift_once(void *predicate, void (*body)(void *), void *context);
void __wrap_swift_once(void *predicate, void (*body)(void *), void *context) {
    struct once once = {predicate, context, body};
    __real_swift_once(predicate, run_once, &once);
    __tsan_acquire(predicate);
}

// MARK: - GMutex, GCond

void __real_g_mutex_lock(void *mutex);
void __wrap_g_mutex_lock(void *mutex) {
    __real_g_mutex_lock(mutex);
    __tsan_acquire(mutex);
}

void __real_g_mutex_unlock(void *mutex);
void __wrap_g_mutex_unlock(void *mutex) {
    __tsan_release(mutex);
    __real_g_mutex_unlock(mutex);
}

void __real_g_cond_wait(void *condition, void *mutex);
void __wrap_g_cond_wait(void *condition, void *mutex) {
    __tsan_release(mutex);
    __real_g_cond_wait(condition, mutex);
    __tsan_acquire(mutex);
}

int __real_g_cond_wait_until(void *condition, void *mutex, int64_t end);
int __wrap_g_cond_wait_until(void *condition, void *mutex, int64_t end) {
    __tsan_release(mutex);
    int signalled = __real_g_cond_wait_until(condition, mutex, end);
    __tsan_acquire(mutex);
    return signalled;
}

// MARK: - gst_element_call_async: another thread runs what this one has prepared.

struct call {
    void *data;
    void (*body)(void *element, void *data);
    void (*destroy)(void *data);
};

static void run_call(void *element, void *data) {
    struct call *call = data;
    __tsan_acquire(call);
    call->body(element, call->data);
}

static void end_call(void *data) {
    struct call *call = data;
    if (call->destroy) call->destroy(call->data);
    free(call);
}

void __real_gst_element_call_async(
    void *element, void (*body)(void *, void *), void *data, void (*destroy)(void *));
void __wrap_gst_element_call_async(
    void *element, void (*body)(void *, void *), void *data, void (*destroy)(void *)) {
    struct call *call = malloc(sizeof *call);
    if (!call) abort();
    *call = (struct call){data, body, destroy};
    __tsan_release(call);
    __real_gst_element_call_async(element, run_call, call, end_call);
}

// MARK: - gst_pad_add_probe: likewise, on the thread of the stream.

struct probe {
    void *data;
    int (*body)(void *pad, void *info, void *data);
    void (*destroy)(void *data);
};

static int run_probe(void *pad, void *info, void *data) {
    struct probe *probe = data;
    __tsan_acquire(probe);
    return probe->body(pad, info, probe->data);
}

static void end_probe(void *data) {
    struct probe *probe = data;
    if (probe->destroy) probe->destroy(probe->data);
    free(probe);
}

unsigned long __real_gst_pad_add_probe(
    void *pad, int type, int (*body)(void *, void *, void *), void *data, void (*destroy)(void *));
unsigned long __wrap_gst_pad_add_probe(
    void *pad, int type, int (*body)(void *, void *, void *), void *data, void (*destroy)(void *)) {
    struct probe *probe = malloc(sizeof *probe);
    if (!probe) abort();
    *probe = (struct probe){data, body, destroy};
    __tsan_release(probe);
    return __real_gst_pad_add_probe(pad, type, run_probe, probe, end_probe);
}
