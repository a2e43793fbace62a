#ifndef WARDEN_TIMELINE_FEED_FOLLOWED_FILE_H_
#define WARDEN_TIMELINE_FEED_FOLLOWED_FILE_H_

#include <cstdint>
#include <string>

#include "warden/base/status.h"
#include "warden/os/posix.h"
#include "warden/timeline/feed/folder_scan.h"
#include "warden/timeline/file_text.h"

namespace warden::timeline {

// A file that may grow, read once from its beginning to its end, whatever it comes to be called.
class FollowedFile {
 public:
  // kUnavailable if the file of that name is another one by now.
  Status Open(const std::string& path, FileId id);
  bool open() const { return fd_.ok(); }

  // Adds what has come since, at most `most` bytes of it, to text(). *more tells whether anything
  // was added. A file that was written anew is read anew; *anew tells so.
  Status ReadMore(size_t most, bool* more, bool* anew);

  PaddedText* text() { return &text_; }
  // Since it was last written.
  double quiet_seconds() const;

 private:
  os::UniqueFd fd_;
  std::string path_;
  uint64_t offset_ = 0;
  PaddedText text_;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_FEED_FOLLOWED_FILE_H_
