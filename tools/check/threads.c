/* Tells the thread sanitizer how Swift's threads wait for each other, for `tools/check/sanitize thread`.

   The sanitizer sees what is compiled with it, and not what Swift's own libraries do: the slow path of Mutex, when two
   threads meet, and the way of a value through a continuation. The functions of these libraries are replaced by these, which
   call them. In processes without the sanitizer these only call them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define ASYNC __attribute__((swiftasynccall))

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

static void acquire(void *object) {
  if (__tsan_acquire) __tsan_acquire(object);
}

static void release(void *object) {
  if (__tsan_release) __tsan_release(object);
}

/* Mutex. */

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SELF __attribute__((swift_context)) void *mutex

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void unlock(SELF) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF) {
  SWIFT void (*library)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  library(thread, mutex);
  acquire(mutex);
}

SWIFT void unlock(SELF) {
  SWIFT void (*library)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  release(mutex);
  library(mutex);
}

/* Continuations. A task that awaits one goes on in the function that its context names, on any thread, or at once if the
   continuation was resumed before. */

struct context {
  void *parent;
  ASYNC void (*next)(__attribute__((swift_async_context)) struct context *);
};

/* The contexts that have no other function yet, as they were. */
static struct {
  struct context *context, old;
} known[4096];
static char guard;

/* Replaces what is known of a context (or, of none, a free place), and returns what was known. */
static struct context replace(struct context *before, struct context *context, struct context old) {
  while (__atomic_test_and_set(&guard, __ATOMIC_ACQUIRE)) {
  }
  size_t place = 0;
  while (known[place].context != before) {
    if (++place == sizeof known / sizeof *known) abort();
  }
  struct context found = known[place].old;
  known[place].context = context;
  known[place].old = old;
  __atomic_clear(&guard, __ATOMIC_RELEASE);
  return found;
}

static ASYNC void resumed(__attribute__((swift_async_context)) struct context *context) {
  SWIFT void *(*current)(void) = dlsym(RTLD_DEFAULT, "swift_task_getCurrent");
  acquire(current());
  context->next = replace(context, NULL, *context).next;
  __attribute__((musttail)) return context->next(context);
}

SWIFT void *swift_continuation_init(struct context *context, size_t flags) {
  SWIFT void *(*library)(struct context *, size_t) = dlsym(RTLD_NEXT, "swift_continuation_init");
  replace(NULL, context, *context);
  context->next = resumed;
  return library(context, flags);
}

SWIFT void swift_continuation_resume(void *task) {
  SWIFT void (*library)(void *) = dlsym(RTLD_NEXT, "swift_continuation_resume");
  release(task);
  library(task);
}

SWIFT void swift_continuation_throwingResume(void *task) {
  SWIFT void (*library)(void *) = dlsym(RTLD_NEXT, "swift_continuation_throwingResume");
  release(task);
  library(task);
}
