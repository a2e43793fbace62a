#ifndef WARDEN_TIMELINE_FEED_FOLDER_SCAN_H_
#define WARDEN_TIMELINE_FEED_FOLDER_SCAN_H_

// Finding new and renamed files again and again, cheaply. Used by ProfileFeed and by the
// dashboard's readers of metrics and timelines.

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warden::timeline {

// A file under whatever name it has: by device and inode. The system may reuse the id of a file
// that was removed. Tells a file that was renamed, as unfinished ones are when they are done, from
// a new one.
struct FileId {
  dev_t device = 0;
  ino_t inode = 0;
  auto operator<=>(const FileId&) const = default;
};

// A file of a scan.
struct FoundFile {
  std::string key;  // Relative to the folder.
  FileId id;
};

// Lists the files below a folder repeatedly: a folder in it is only read if it has changed since.
// For one thread. A look at an unchanged folder costs one stat. A run of a day has tens of
// thousands of files.
class FolderScan {
 public:
  // folder: need not exist yet.
  explicit FolderScan(std::string folder) : folder_(std::move(folder)) {}

  // All regular files that are there now, by their keys. Links are ignored, and folders more than
  // 16 levels down. Folders that cannot be read count as empty, as does the first one if it is a
  // link that leads out of its run (RootOfProfile). A folder that changed within the last two
  // seconds is read again the next time, since some file systems count in seconds and a second
  // change would not show.
  std::vector<FoundFile> List();

 private:
  struct Listing {
    int64_t changed_ns = 0;
    bool settled = false;  // What changed within the clock's grain of it would have been missed.
    std::vector<FoundFile> files;
    std::vector<std::string> folders;
  };

  void Visit(const std::string& below, int depth, std::vector<FoundFile>* found);
  void ReadFolder(const std::string& below, Listing* listing);

  const std::string folder_;
  std::map<std::string, Listing> listings_;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_FEED_FOLDER_SCAN_H_
