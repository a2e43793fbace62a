#ifndef WARDEN_TIMELINE_FEED_FOLDER_SCAN_H_
#define WARDEN_TIMELINE_FEED_FOLDER_SCAN_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warden::timeline {

// A file wherever it is moved: by device and inode.
struct FileId {
  dev_t device = 0;
  ino_t inode = 0;
  auto operator<=>(const FileId&) const = default;
};

struct FoundFile {
  std::string key;  // Relative to the folder.
  FileId id;
};

// Looks for files below a folder again and again: a folder in it is only listed if it has changed.
class FolderScan {
 public:
  explicit FolderScan(std::string folder) : folder_(std::move(folder)) {}

  // All regular files that are there now, by their keys. Links are not followed.
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
