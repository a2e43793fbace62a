#include "warden/cli/launch/run_events.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>

#include "warden/base/json.h"

namespace warden::cli {

Result<RunEvents> RunEvents::ToFile(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor >= 0) return RunEvents(descriptor, true);
  return Status(Code::kInvalid, fmt::format("--events: {}: {}", path, std::strerror(errno)));
}

RunEvents RunEvents::ToStandardError() { return {STDERR_FILENO, false}; }

RunEvents::~RunEvents() {
  if (owned_ && descriptor_ >= 0) close(descriptor_);
}

void RunEvents::Write(const char* name, const Json& fields) {
  if (!wanted()) return;
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  Json event = {{"event", name}, {"time", std::round(now.count() * 1000) / 1000}};
  event.update(fields);
  const std::string line = DumpLikePython(event) + "\n";
  // The reader may be gone; that must not affect the training.
  (void)!write(descriptor_, line.data(), line.size());
}

}  // namespace warden::cli
