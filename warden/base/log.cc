#include "warden/base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "warden/base/strings.h"

namespace warden {
namespace {

constexpr int kTellTimes = 3;
// Past this many different messages the memory of what was reported starts again.
constexpr size_t kRemembered = 1000;

spdlog::level::level_enum LevelFromEnvironment() {
  const char* value = std::getenv("SMDEBUG_LOG_LEVEL");
  if (value == nullptr) return spdlog::level::info;
  const std::string name = LowerAscii(value);
  const auto level = spdlog::level::from_str(name);
  // It has "off" for a name it does not know; a slip of the pen is no wish for silence.
  return level == spdlog::level::off && name != "off" ? spdlog::level::info : level;
}

class Logger {
 public:
  Logger() : out_("warden", std::make_shared<spdlog::sinks::stderr_sink_mt>()) {
    out_.set_pattern("[%Y-%m-%d %H:%M:%S.%e] %n %l: %v");
    out_.set_level(LevelFromEnvironment());
  }

  void Tell(spdlog::level::level_enum level, std::string_view message) {
    if (!out_.should_log(level) || !IsNews(message)) return;
    out_.log(level, "{}", message);
  }

 private:
  bool IsNews(std::string_view message) {
    const std::lock_guard lock(mutex_);
    if (told_.size() > kRemembered) told_.clear();
    return ++told_[std::string(message)] <= kTellTimes;
  }

  spdlog::logger out_;
  std::mutex mutex_;
  std::unordered_map<std::string, int> told_;
};

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarning: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
  }
  return spdlog::level::err;
}

}  // namespace

void LogMessage(LogLevel level, std::string_view message) {
  // Never destroyed: other threads may log while the process ends.
  static Logger* const logger = new Logger();
  logger->Tell(ToSpdlog(level), message);
}

}  // namespace warden
