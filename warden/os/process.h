#ifndef WARDEN_OS_PROCESS_H_
#define WARDEN_OS_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace warden::os {

// When a process began, in the kernel's own count: together with its number it tells a process from
// a later one that was given the same number. Nothing if there is no such process, or it has ended
// and nobody has asked how.
std::optional<int64_t> StartOfProcess(pid_t pid);

}  // namespace warden::os

#endif  // WARDEN_OS_PROCESS_H_
