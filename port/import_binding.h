// BindImport binds a function that a shared library imports to another one.
#ifndef BUSHSTORE_PORT_IMPORT_BINDING_H_
#define BUSHSTORE_PORT_IMPORT_BINDING_H_

namespace leveldb {

// Directs the calls of `name` in the shared library that contains the address `inside_library` to
// `function` from now on. `function` must be of the same type and must stay for as long as the
// library does. Calls from other libraries, and addresses of the function that were taken before,
// do not change. Returns false, without side effects, if there is no such library, if it does not
// import the name, or if the platform is not supported (ELF on x86-64 and AArch64 is).
//
// Thread-safe, also while other threads run code of the library.
bool BindImport(const void* inside_library, const char* name, const void* function);

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_IMPORT_BINDING_H_
