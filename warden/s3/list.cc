#include "warden/s3/list.h"

#include <fcntl.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "warden/os/open_beneath.h"
#include "warden/s3/object_files.h"
#include "warden/s3/object_meta.h"
#include "warden/s3/object_path.h"

namespace warden::s3 {
namespace {

struct Entry {
  std::string
      part;  // Of the key; with '/' behind it if it is a folder: so it sorts among the keys.
  std::string name;  // Of the file.

  bool is_folder() const { return part.ends_with('/'); }
};

// For a heap that has the first one on top.
bool IsLater(const Entry& a, const Entry& b) { return a.part > b.part; }

std::string Join(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

class Lister {
 public:
  Lister(int bucket, const ListOptions& options) : bucket_(bucket), options_(options) {}

  Result<Listing> List() {
    // What lies beside the folder of the prefix is not even looked at.
    const size_t slash = options_.prefix.rfind('/');
    std::string key;
    std::string path;
    if (slash != std::string::npos) {
      key = options_.prefix.substr(0, slash + 1);
      const Result<std::string> in_bucket = PathInBucket(options_.prefix.substr(0, slash));
      if (!in_bucket.ok() || slash > kMaxKey) return std::move(listing_);
      path = slash == 0 ? "%%" : in_bucket.value();
    }
    if (options_.limit > 0 && MayHold(key)) Folder(path, key);
    if (!failure_.ok()) return failure_;
    return std::move(listing_);
  }

 private:
  // Whether keys that begin so can be in the listing.
  bool MayHold(const std::string& key) const {
    const std::string& prefix = options_.prefix;
    if (key.size() > kMaxKey) return false;
    if (!prefix.starts_with(key) && !key.starts_with(prefix)) return false;
    if (options_.after >= key && !options_.after.starts_with(key)) return false;
    return options_.skip.empty() || !key.starts_with(options_.skip);
  }

  bool IsWanted(const std::string& key) const {
    return key.size() <= kMaxKey && key.starts_with(options_.prefix) && key > options_.after &&
           (options_.skip.empty() || !key.starts_with(options_.skip));
  }

  // What a key is told as: itself, or its beginning up to the delimiter.
  std::optional<std::string> CommonPrefixOf(const std::string& key) const {
    if (options_.delimiter.empty() || !key.starts_with(options_.prefix)) return std::nullopt;
    const size_t at = key.find(options_.delimiter, options_.prefix.size());
    if (at == std::string::npos) return std::nullopt;
    return key.substr(0, at + options_.delimiter.size());
  }

  // Calls use for each file and folder that can matter, in no order, until it says false.
  template <class Use>
  void EachEntry(const std::string& path, const std::string& key, Use use) {
    const Result<os::OpenedFolder> dir = os::ReadFolderBeneath(bucket_, path);
    if (!dir.ok()) {
      // One that has gone meanwhile had nothing in it.
      if (dir.status().code() != Code::kNotFound) failure_ = dir.status();
      return;
    }
    while (const dirent* found = readdir(dir.value().get())) {
      const std::string name = found->d_name;
      if (name == "." || name == "..") continue;
      std::optional<std::string> part = KeyOfPath(name);
      if (!part) continue;
      const int type = TypeOf(dirfd(dir.value().get()), *found);
      if (type == DT_DIR) *part += '/';
      if (type == DT_DIR ? !MayHold(key + *part) : type != DT_REG || !IsWanted(key + *part)) {
        continue;
      }
      if (!use(Entry{std::move(*part), name})) return;
    }
  }

  static int TypeOf(int folder, const dirent& entry) {
    if (entry.d_type != DT_UNKNOWN) return entry.d_type;
    struct stat info;
    if (fstatat(folder, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
    return S_ISDIR(info.st_mode) ? DT_DIR : S_ISREG(info.st_mode) ? DT_REG : DT_UNKNOWN;
  }

  // False: the listing is full, or has failed.
  bool Folder(const std::string& path, const std::string& key) {
    std::vector<Entry> entries;
    EachEntry(path, key, [&](Entry entry) {
      entries.push_back(std::move(entry));
      return true;
    });
    if (!failure_.ok()) return false;
    // A page needs the first ones only: no need to sort all.
    std::make_heap(entries.begin(), entries.end(), IsLater);
    std::optional<os::UniqueFd> folder;  // Open while its files are looked at, not while those
                                         // below it are: many levels would take many.
    while (!entries.empty()) {
      std::pop_heap(entries.begin(), entries.end(), IsLater);
      const Entry entry = std::move(entries.back());
      entries.pop_back();
      if (!(entry.is_folder() ? TakeFolder(path, key, entry, &folder)
                              : TakeFile(path, key, entry, &folder))) {
        return false;
      }
    }
    return true;
  }

  bool TakeFolder(const std::string& path, const std::string& key, const Entry& entry,
                  std::optional<os::UniqueFd>* folder) {
    const std::string below = key + entry.part;
    const std::string path_below = Join(path, entry.name);
    const std::optional<std::string> common = CommonPrefixOf(below);
    if (!common) {
      folder->reset();
      return Folder(path_below, below);
    }
    if (IsTold(*common) || !HoldsObject(path_below, below)) return failure_.ok();
    return TellPrefix(*common);
  }

  bool TakeFile(const std::string& path, const std::string& key, const Entry& entry,
                std::optional<os::UniqueFd>* folder) {
    const std::string whole = key + entry.part;
    if (const std::optional<std::string> common = CommonPrefixOf(whole)) {
      return IsTold(*common) || TellPrefix(*common);
    }
    if (!*folder) {
      Result<os::UniqueFd> opened = os::OpenFolderBeneath(bucket_, path);
      if (!opened.ok()) return true;  // It has gone, and the file with it.
      *folder = std::move(opened).value();
    }
    struct stat info;
    const int fd = (*folder)->get();
    if (fstatat(fd, entry.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return true;
    if (!S_ISREG(info.st_mode)) return true;
    if (IsFull()) return false;
    listing_.objects.push_back({whole, static_cast<uint64_t>(info.st_size), TimeOf(info.st_mtim),
                                ReadMetaAt(fd, entry.name, info).etag});
    listing_.last = whole;
    listing_.last_is_prefix = false;
    return true;
  }

  // Whether there is an object of the listing anywhere in a folder.
  bool HoldsObject(const std::string& path, const std::string& key) {
    bool holds = false;
    std::vector<Entry> folders;
    EachEntry(path, key, [&](Entry entry) {
      if (!entry.is_folder()) holds = true;
      if (entry.is_folder()) folders.push_back(std::move(entry));
      return !holds;
    });
    for (size_t i = 0; i < folders.size() && !holds; ++i) {
      holds = HoldsObject(Join(path, folders[i].name), key + folders[i].part);
    }
    return holds;
  }

  bool IsTold(const std::string& common) const {
    return !listing_.prefixes.empty() && listing_.prefixes.back() == common;
  }

  bool TellPrefix(const std::string& common) {
    if (IsFull()) return false;
    listing_.prefixes.push_back(common);
    listing_.last = common;
    listing_.last_is_prefix = true;
    return true;
  }

  // Sees that there is one more than fits.
  bool IsFull() {
    if (listing_.objects.size() + listing_.prefixes.size() < options_.limit) return false;
    listing_.truncated = true;
    return true;
  }

  const int bucket_;
  const ListOptions& options_;
  Listing listing_;
  Status failure_;
};

}  // namespace

Result<Listing> ListObjects(int bucket_folder, const ListOptions& options) {
  return Lister(bucket_folder, options).List();
}

}  // namespace warden::s3
