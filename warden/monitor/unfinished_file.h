#ifndef WARDEN_MONITOR_UNFINISHED_FILE_H_
#define WARDEN_MONITOR_UNFINISHED_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/posix.h"

namespace warden::monitor {

// A file of lines that is written under one name and gets another when it is complete. Locked while
// it is open, so that of two processes that write the same file the second gets an error. For one
// thread.
//
//   auto file = UnfinishedFile::Open(folder + "/1700000040.tmp", folder + "/1700000040.json");
//   if (file.ok()) status = file.value().Append("{\"a\": 1}\n");
//   if (status.ok()) status = file.value().Finish();
class UnfinishedFile {
 public:
  UnfinishedFile() = default;
  UnfinishedFile(UnfinishedFile&&) = default;
  UnfinishedFile& operator=(UnfinishedFile&&) = default;

  // Continues what is there under either name, without a last line that has no end. Missing folders
  // are created. kUnavailable if another process writes it, kIo for other failures. The paths are
  // absolute or have a folder.
  static Result<UnfinishedFile> Open(const std::string& unfinished, const std::string& whole);

  // False for one that was made by the default constructor, or that was finished or moved from.
  bool open() const { return fd_.ok(); }

  // Complete lines, all or none of them. kNotFound if the file was removed: open it again. kIo if
  // the disk is full, or on another error of the system. REQUIRES: open().
  Status Append(std::string_view lines);
  // Gives it its final name and closes it. An empty one is removed; if a file of that name exists,
  // the lines are added to it. kIo on failure: the file is closed all the same, and keeps its
  // unfinished name for the next Open. REQUIRES: open().
  Status Finish();

 private:
  std::string unfinished_;
  std::string whole_;
  os::UniqueFd fd_;
  int64_t size_ = 0;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_UNFINISHED_FILE_H_
