// Binds a function that a shared library imports to another one.
#ifndef BUSHSTORE_PORT_IMPORT_BINDING_H_
#define BUSHSTORE_PORT_IMPORT_BINDING_H_

namespace leveldb {

// From now on the calls of `name` in the shared library that contains the address go to `function`,
// which has to be of the same type and to stay for as long as the library does. Calls of other
// libraries, and addresses of the function that are known already, are as before. False, and
// nothing has changed, if there is no such library, if it does not import the name, or where we do
// not know how (ELF on x86-64 and AArch64).
//
// Thread-safe, also beside threads that are in the library.
bool BindImport(const void* inside_library, const char* name, const void* function);

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_IMPORT_BINDING_H_
