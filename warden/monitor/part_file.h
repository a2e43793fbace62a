#ifndef WARDEN_MONITOR_PART_FILE_H_
#define WARDEN_MONITOR_PART_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/posix.h"

namespace warden::monitor {

// A file of lines that is written under one name and gets another when it is whole. Held by a lock,
// so that of two who write the same the second learns of it. For one thread.
class PartFile {
 public:
  PartFile() = default;
  PartFile(PartFile&&) = default;
  PartFile& operator=(PartFile&&) = default;

  // Goes on with what is there under either name, but for a last line without an end. Missing
  // folders are made. kUnavailable if another process writes it.
  static Result<PartFile> Open(const std::string& part, const std::string& whole);

  bool open() const { return fd_.ok(); }

  // Whole lines, all or none of them. kNotFound if the file was removed: open it anew.
  Status Append(std::string_view lines);
  // Gives it its name. An empty one is removed.
  Status Finish();

 private:
  std::string part_;
  std::string whole_;
  os::UniqueFd fd_;
  int64_t size_ = 0;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_PART_FILE_H_
