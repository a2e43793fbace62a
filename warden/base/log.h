#ifndef WARDEN_BASE_LOG_H_
#define WARDEN_BASE_LOG_H_

#include <fmt/format.h>

#include <string_view>

namespace warden {

// Messages for people, on stderr, so that stdout stays free for results. The level comes from
// SMDEBUG_LOG_LEVEL (info, debug, warning, error, critical, off). A message that repeats itself
// word for word is told three times and then no more. Safe for many threads.
enum class LogLevel { kDebug, kInfo, kWarning, kError };

void LogMessage(LogLevel level, std::string_view message);

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
