#include "warden/storage/s3/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "warden/base/strings.h"
#include "warden/net/digest.h"
#include "warden/os/posix.h"
#include "warden/os/private_folder.h"
#include "warden/os/random.h"
#include "warden/os/whole_file.h"

namespace warden::storage::s3 {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kUsualMegabytes = 2048;
constexpr size_t kSumBytes = 32;  // A file begins with the SHA-256 of the rest.

struct CachedFile {
  fs::path path;
  fs::file_time_type used;
  uint64_t size;
};

std::vector<CachedFile> FilesIn(const std::string& folder) {
  std::vector<CachedFile> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    if (!at->is_regular_file(gone)) continue;
    CachedFile file{at->path(), at->last_write_time(gone), at->file_size(gone)};
    if (!gone) files.push_back(std::move(file));
  }
  return files;
}

uint64_t SizeOf(const std::vector<CachedFile>& files) {
  uint64_t sum = 0;
  for (const CachedFile& file : files) sum += file.size;
  return sum;
}

bool WriteFile(const std::string& path, std::string_view sum, Bytes content) {
  const os::UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.ok()) return false;
  for (const std::string_view part : {sum, AsText(content)}) {
    for (size_t at = 0; at < part.size();) {
      const ssize_t written = write(file.get(), part.data() + at, part.size() - at);
      if (written <= 0) return false;
      at += static_cast<size_t>(written);
    }
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<Cache>> Cache::FromVariables(const Variables& variables) {
  std::string folder = variables("WARDEN_S3_CACHE");
  if (folder == "off") return std::make_unique<Cache>("", 0);
  if (folder.empty()) {
    std::string parent = variables("XDG_CACHE_HOME");
    if (parent.empty() && !variables("HOME").empty()) parent = variables("HOME") + "/.cache";
    if (!parent.empty()) folder = parent + "/tensorwarden/s3";
  }
  int64_t megabytes = kUsualMegabytes;
  if (const std::string text = variables("WARDEN_S3_CACHE_MB"); !text.empty()) {
    megabytes = ParseInt(text).value_or(-1);
    if (megabytes < 1 || megabytes > 1 << 30) {
      return Status(Code::kInvalid, fmt::format("WARDEN_S3_CACHE_MB is {:?}; expected a number of "
                                                "megabytes from 1 on, or WARDEN_S3_CACHE=off",
                                                text));
    }
  }
  return std::make_unique<Cache>(std::move(folder), static_cast<uint64_t>(megabytes) << 20);
}

std::string Cache::PathOf(std::string_view name) const {
  const std::string digest = net::Hex(net::Sha256(name));
  return fmt::format("{}/{}/{}", folder_, digest.substr(0, 2), digest.substr(2));
}

std::optional<std::vector<std::byte>> Cache::Get(std::string_view name) {
  if (folder_.empty()) return std::nullopt;
  const std::string path = PathOf(name);
  const auto text = os::ReadPlainFile(path, most_bytes_);
  if (!text || text->size() < kSumBytes) return std::nullopt;
  const std::string_view content = std::string_view(*text).substr(kSumBytes);
  // Cut off by a crash of the machine, perhaps.
  if (net::Sha256(content) != std::string_view(*text).substr(0, kSumBytes)) return std::nullopt;
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  const Bytes bytes = AsBytes(content);
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

void Cache::Put(std::string_view name, Bytes content) {
  if (folder_.empty() || content.size() > most_bytes_ / 8) return;
  const std::string path = PathOf(name);
  {
    const std::lock_guard lock(mutex_);
    if (!bytes_) {
      if (!os::MakePrivateFolder(folder_).ok()) return;
      bytes_ = SizeOf(FilesIn(folder_));
    }
    const uint64_t added = content.size() + kSumBytes;
    if (*bytes_ + added > most_bytes_) Shrink();
    *bytes_ += added;
  }
  std::error_code error;
  fs::create_directory(fs::path(path).parent_path(), error);
  const std::string draft = fmt::format("{}.{}", path, os::RandomHex(8));
  if (!WriteFile(draft, net::Sha256(AsText(content)), content) ||
      rename(draft.c_str(), path.c_str()) != 0) {
    unlink(draft.c_str());
  }
}

void Cache::Shrink() {
  std::vector<CachedFile> files = FilesIn(folder_);
  std::sort(files.begin(), files.end(),
            [](const CachedFile& a, const CachedFile& b) { return a.used < b.used; });
  bytes_ = SizeOf(files);
  // Further than needed, so that it is seldom done.
  for (const CachedFile& file : files) {
    if (*bytes_ <= most_bytes_ / 4 * 3) break;
    std::error_code error;
    if (fs::remove(file.path, error)) *bytes_ -= file.size;
  }
}

}  // namespace warden::storage::s3
