// How a thread_local variable is reached.
#ifndef BUSHSTORE_PORT_TLS_MODEL_H_
#define BUSHSTORE_PORT_TLS_MODEL_H_

// Behind the name of a thread_local variable of few bytes. Inside a shared library it spares every
// access a function call. The C library keeps room for a few such variables even when the library
// is loaded late.
#if defined(__GLIBC__)
#define BUSHSTORE_TLS_MODEL __attribute__((tls_model("initial-exec")))
#else
#define BUSHSTORE_TLS_MODEL
#endif

#endif  // BUSHSTORE_PORT_TLS_MODEL_H_
