// Annotations that state the lock discipline. clang's -Wthread-safety checks them at compile time;
// for other compilers they are empty.
//
//   GUARDED_BY(mu)                    the member is read and written with mu held
//   PT_GUARDED_BY(mu)                 the same for what the pointer points to
//   EXCLUSIVE_LOCKS_REQUIRED(mu)      the caller holds mu (REQUIRES is the short form)
//   LOCKS_EXCLUDED(mu)                the caller does not hold mu
//   EXCLUSIVE_LOCK_FUNCTION(mu), UNLOCK_FUNCTION(mu), EXCLUSIVE_TRYLOCK_FUNCTION(result, mu)
//                                     the function takes or releases mu; without an argument: *this
//   EXCLUSIVE_UNLOCK_FUNCTION(mu)     the same as UNLOCK_FUNCTION, but a scoped guard that releases
//                                     mu in its constructor is understood with this one only
//   ASSERT_EXCLUSIVE_LOCK(mu)         after the call, mu counts as held
//   LOCKABLE, SCOPED_LOCKABLE         the class is a lock, or a scoped guard of one
//   NO_THREAD_SAFETY_ANALYSIS         this function is not checked
#ifndef BUSHSTORE_PORT_THREAD_ANNOTATIONS_H_
#define BUSHSTORE_PORT_THREAD_ANNOTATIONS_H_

#if defined(__clang__)
#define BUSHSTORE_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define BUSHSTORE_THREAD_ANNOTATION(x)
#endif

#define GUARDED_BY(mu) BUSHSTORE_THREAD_ANNOTATION(guarded_by(mu))
#define PT_GUARDED_BY(mu) BUSHSTORE_THREAD_ANNOTATION(pt_guarded_by(mu))
#define EXCLUSIVE_LOCKS_REQUIRED(...) \
  BUSHSTORE_THREAD_ANNOTATION(exclusive_locks_required(__VA_ARGS__))
#define REQUIRES(...) EXCLUSIVE_LOCKS_REQUIRED(__VA_ARGS__)
#define LOCKS_EXCLUDED(...) BUSHSTORE_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define EXCLUSIVE_LOCK_FUNCTION(...) \
  BUSHSTORE_THREAD_ANNOTATION(exclusive_lock_function(__VA_ARGS__))
#define UNLOCK_FUNCTION(...) BUSHSTORE_THREAD_ANNOTATION(unlock_function(__VA_ARGS__))
#define EXCLUSIVE_UNLOCK_FUNCTION(...) BUSHSTORE_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define EXCLUSIVE_TRYLOCK_FUNCTION(...) \
  BUSHSTORE_THREAD_ANNOTATION(exclusive_trylock_function(__VA_ARGS__))
#define ASSERT_EXCLUSIVE_LOCK(...) BUSHSTORE_THREAD_ANNOTATION(assert_exclusive_lock(__VA_ARGS__))
#define LOCKABLE BUSHSTORE_THREAD_ANNOTATION(lockable)
#define SCOPED_LOCKABLE BUSHSTORE_THREAD_ANNOTATION(scoped_lockable)
#define NO_THREAD_SAFETY_ANALYSIS BUSHSTORE_THREAD_ANNOTATION(no_thread_safety_analysis)

#endif  // BUSHSTORE_PORT_THREAD_ANNOTATIONS_H_
