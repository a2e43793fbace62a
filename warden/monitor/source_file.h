#ifndef WARDEN_MONITOR_SOURCE_FILE_H_
#define WARDEN_MONITOR_SOURCE_FILE_H_

#include <string>
#include <string_view>

#include "warden/os/posix.h"

namespace warden::monitor {

// A small file whose text changes, as those below /proc do: kept open and read again from its
// start, since opening costs more than reading. For one thread.
//
//   SourceFile stat("/proc/stat");
//   std::string_view text = stat.Read();
//
// A read that fails closes the file, and the next one opens it again: the process or device may be
// gone, and another may have come in its place. Never waits, even for a pipe.
class SourceFile {
 public:
  // Nothing is opened before the first read. A file that is missing is tried again at each read.
  explicit SourceFile(std::string path) : path_(std::move(path)) {}

  // The current text, empty if there is none; at most 4 MiB. Valid until the next call.
  std::string_view Read();
  // At most this many bytes, in one system call: for files of which the start is enough.
  std::string_view ReadStart(size_t length);

  const std::string& path() const { return path_; }

 private:
  bool Open();

  std::string path_;
  os::UniqueFd fd_;
  std::string buffer_;
};

// The whole text, at most 4 MiB, of a file that is read only now and then; empty if there is none.
std::string ReadSmallFile(const std::string& path);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_SOURCE_FILE_H_
