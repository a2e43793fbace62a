#ifndef WARDEN_BASE_TIME_H_
#define WARDEN_BASE_TIME_H_

// Times of the service as values and as texts: HTTP's, S3's and those of the API. Pure functions
// but for Now(), safe for many threads. (Timelines and metrics count microseconds since 1970 in an
// int64_t, or seconds in a double; names end in _us and _s.)

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace warden {

// A moment by the clock on the wall, as the service's records and answers have it: milliseconds
// since 1970, UTC. For waiting and for measuring use std::chrono::steady_clock: this clock jumps
// when somebody sets it.
using Time = std::chrono::sys_time<std::chrono::milliseconds>;

// The current time, rounded down to milliseconds.
inline Time Now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

// "Sun, 06 Nov 1994 08:49:37 GMT", in whole seconds, as HTTP has dates; no locale matters. Nothing
// if a text is anything else.
std::string HttpDate(Time time);
std::optional<Time> ParseHttpDate(std::string_view text);

// "2009-10-12T17:50:30.000Z".
std::string IsoTime(Time time);
// "2009-10-12T17:50:30Z", cut to whole seconds.
std::string IsoSeconds(Time time);

}  // namespace warden

#endif  // WARDEN_BASE_TIME_H_
