#ifndef WARDEN_BASE_TIME_H_
#define WARDEN_BASE_TIME_H_

#include <chrono>

namespace warden {

// A moment by the clock on the wall, as records and answers have it: milliseconds since 1970, UTC.
using Time = std::chrono::sys_time<std::chrono::milliseconds>;

inline Time Now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace warden

#endif  // WARDEN_BASE_TIME_H_
