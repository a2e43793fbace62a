#ifndef WARDEN_TIMELINE_FEED_FOLLOWED_FILE_H_
#define WARDEN_TIMELINE_FEED_FOLLOWED_FILE_H_

// One file while it is written. Writers rename files when they are done, and some rewrite them;
// readers that go by names would read such files twice or miss their ends.

#include <cstdint>
#include <string>

#include "warden/base/status.h"
#include "warden/os/posix.h"
#include "warden/timeline/feed/folder_scan.h"
#include "warden/timeline/file_text.h"

namespace warden::timeline {

// A file that may grow, read once from its beginning to its end, whatever its name becomes. Keeps
// the file open, so that renaming it does not matter. Used by Stream. Can be moved. For one thread.
// Holds one descriptor. What was read is kept until the caller drops it, so that a line or an event
// may arrive in pieces.
class FollowedFile {
 public:
  // kIo if it cannot be opened; kUnavailable if the file of that name is another one by now. Can be
  // called once.
  Status Open(const std::string& path, FileId id);
  bool open() const { return fd_.ok(); }

  // Appends what was written since, at most `most` bytes of it, to text(). *more: whether anything
  // was added. A file that has become shorter than half of what was read was written from the start
  // again: *restarted is true then, text() is dropped, and reading begins at its start. kIo if it
  // cannot be read. REQUIRES: open().
  Status ReadMore(size_t most, bool* more, bool* restarted);

  // What was read and not yet dropped by the caller, who parses it. Owned by this object.
  PaddedText* text() { return &text_; }
  // Seconds since the file was last written, by the clock of the system; 0 if unknown. REQUIRES:
  // open().
  double quiet_seconds() const;

 private:
  os::UniqueFd fd_;
  std::string path_;
  uint64_t offset_ = 0;
  PaddedText text_;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_FEED_FOLLOWED_FILE_H_
