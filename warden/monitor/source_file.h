#ifndef WARDEN_MONITOR_SOURCE_FILE_H_
#define WARDEN_MONITOR_SOURCE_FILE_H_

#include <string>
#include <string_view>

#include "warden/os/posix.h"

namespace warden::monitor {

// A small file whose text changes, as those below /proc do: kept open and read anew from its
// start. For one thread.
class SourceFile {
 public:
  explicit SourceFile(std::string path) : path_(std::move(path)) {}

  // The text now, empty if there is none; at most 4 MiB. Lives until the next call.
  std::string_view Read();
  // At most this much, in one call to the kernel: for files of which the start is enough.
  std::string_view ReadStart(size_t length);

  const std::string& path() const { return path_; }

 private:
  bool Open();

  std::string path_;
  os::UniqueFd fd_;
  std::string buffer_;
};

// The whole text of a file that is looked at now and then; empty if there is none.
std::string ReadSmallFile(const std::string& path);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_SOURCE_FILE_H_
