#ifndef WARDEN_OS_OPEN_FILES_H_
#define WARDEN_OS_OPEN_FILES_H_

// How many descriptors a process may have. The usual soft limit of 1,024 is meant for programs that
// use select(2); a service with many clients may raise it to what the system allows. The programs
// that it starts get the limit that it was started with, because they may use select.

#include <cstddef>

namespace warden::os {

// The soft limit of this process: descriptors that may be open at once.
size_t OpenFilesLimit();

// Raises the soft limit as far as the system allows, to at most `most`, and returns it. Programs
// started from now on (program.h) get the limit that was in force before the first call. A limit
// that is higher already stays as it is. For any thread.
size_t RaiseOpenFilesLimit(size_t most);

// In a new process, between fork and exec: undoes RaiseOpenFilesLimit. Async-signal-safe; does
// nothing if that was never called.
void RestoreOpenFilesLimit();

}  // namespace warden::os

#endif  // WARDEN_OS_OPEN_FILES_H_
