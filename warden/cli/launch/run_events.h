#ifndef WARDEN_CLI_LAUNCH_RUN_EVENTS_H_
#define WARDEN_CLI_LAUNCH_RUN_EVENTS_H_

// What `warden run --events` writes, so that a notebook or another program can follow a run without
// parsing what is printed for people: "finding", "step" and others.

#include <string>
#include <utility>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden::cli {

// The events of a run, for other programs: one JSON object per line, each written at once. Moved,
// not copied. For one thread.
class RunEvents {
 public:
  // To a new or emptied file, which is closed with this object. kInvalid, naming the flag, the path
  // and the reason, if it cannot be opened.
  static Result<RunEvents> ToFile(const std::string& path);
  // Shared with the messages for people, which begin with "warden:".
  static RunEvents ToStandardError();
  static RunEvents ToNowhere() { return RunEvents(-1, false); }
  ~RunEvents();
  RunEvents(RunEvents&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), owned_(other.owned_) {}

  // Whether anybody reads them: spares building fields that nobody gets.
  bool wanted() const { return descriptor_ >= 0; }
  // {"event": name, "time": seconds since 1970, ...fields}. Times have milliseconds. Errors are
  // ignored: a reader that is gone, or a full disk, must not affect the training.
  void Write(const char* name, const Json& fields);

 private:
  RunEvents(int descriptor, bool owned) : descriptor_(descriptor), owned_(owned) {}

  int descriptor_;
  bool owned_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_RUN_EVENTS_H_
