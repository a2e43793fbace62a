#ifndef WARDEN_BASE_LOG_H_
#define WARDEN_BASE_LOG_H_

#include <fmt/format.h>

#include <string_view>

namespace warden {

// Messages for people, on stderr, so that stdout stays free for results. Used by every part that
// continues after a failure; a part whose caller can act returns a Status instead. The level comes
// from SMDEBUG_LOG_LEVEL (info, debug, warning, error, critical, off), read at the first message;
// an unknown level counts as info. A message that repeats word for word is written three times and
// not again, so a failure in a loop does not fill the terminal; only after 1000 different messages
// the count starts again. Safe for many threads, also while the process ends.
//
//   LogWarning("{} skipped: {}", path, status.message());
enum class LogLevel { kDebug, kInfo, kWarning, kError };

// Writes the message with time and level in front. It is not interpreted as a format.
void LogMessage(LogLevel level, std::string_view message);

// The same with a format of {fmt}, which is checked when compiling. The message is formatted even
// if its level is not shown: keep these out of hot paths.
template <class... Args>
void LogInfo(fmt::format_string<Args...> format, Args&&... args) {
  LogMessage(LogLevel::kInfo, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void LogWarning(fmt::format_string<Args...> format, Args&&... args) {
  LogMessage(LogLevel::kWarning, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void LogError(fmt::format_string<Args...> format, Args&&... args) {
  LogMessage(LogLevel::kError, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace warden

#endif  // WARDEN_BASE_LOG_H_
