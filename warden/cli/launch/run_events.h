#ifndef WARDEN_CLI_LAUNCH_RUN_EVENTS_H_
#define WARDEN_CLI_LAUNCH_RUN_EVENTS_H_

#include <string>
#include <utility>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden::cli {

// The events of a run, for other programs: one JSON object per line, each written at once.
class RunEvents {
 public:
  // To a new or emptied file. kInvalid if it cannot be opened.
  static Result<RunEvents> ToFile(const std::string& path);
  static RunEvents ToStandardError();
  static RunEvents ToNowhere() { return RunEvents(-1, false); }
  ~RunEvents();
  RunEvents(RunEvents&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), owned_(other.owned_) {}

  bool wanted() const { return descriptor_ >= 0; }
  // {"event": name, "time": seconds since 1970, ...fields}.
  void Write(const char* name, const Json& fields);

 private:
  RunEvents(int descriptor, bool owned) : descriptor_(descriptor), owned_(owned) {}

  int descriptor_;
  bool owned_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_RUN_EVENTS_H_
