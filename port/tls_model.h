// BUSHSTORE_TLS_MODEL selects how a thread_local variable is accessed.
#ifndef BUSHSTORE_PORT_TLS_MODEL_H_
#define BUSHSTORE_PORT_TLS_MODEL_H_

// Follows the name of a thread_local variable of few bytes. Inside a shared library it saves a
// function call at every access. The C library reserves space for a few such variables even for
// libraries that are loaded late.
#if defined(__GLIBC__)
#define BUSHSTORE_TLS_MODEL __attribute__((tls_model("initial-exec")))
#else
#define BUSHSTORE_TLS_MODEL
#endif

#endif  // BUSHSTORE_PORT_TLS_MODEL_H_
