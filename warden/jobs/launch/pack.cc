#include "warden/jobs/launch/pack.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <vector>

#include "warden/jobs/launch/tar_header.h"
#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

// Each level of folders keeps one open.
constexpr auto kMostPackedLevels = 200;
// Models hardly become smaller by more effort.
constexpr char kHowToWrite[] = "wb1";

std::vector<std::string> SortedNames(int folder) {
  std::vector<std::string> names;
  const os::OpenedFolder opened(fdopendir(dup(folder)));
  if (!opened) return names;
  while (const dirent* entry = readdir(opened.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

void TarWriter::Close::operator()(gzFile_s* file) const { gzclose(file); }

Result<TarWriter> TarWriter::Create(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd < 0) return os::IoError("create", path, errno);
  gzFile file = gzdopen(fd, kHowToWrite);
  if (file == nullptr) {
    close(fd);
    return Status(Code::kIo, "cannot write " + path);
  }
  gzbuffer(file, kTarChunk);
  return TarWriter(path, file);
}

Status TarWriter::AddFolder(const std::string& root, const std::string& path) {
  const os::UniqueFd opened(open(root.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!opened.ok() && os::IsAbsence(errno)) return Status();
  if (!opened.ok()) return os::IoError("open", root, errno);
  const auto folder = os::OpenFolderBeneath(opened.get(), path);
  if (folder.ok()) return AddAllIn(folder.value().get(), "");
  if (folder.status().code() != Code::kNotFound) return folder.status();
  // What somebody can see there must not be left out without a word.
  if (faccessat(opened.get(), path.c_str(), F_OK, 0) != 0) return Status();
  return Status(Code::kInvalid, "expected a folder, found a link or a file: " + path);
}

Status TarWriter::AddAllIn(int folder, const std::string& prefix) {
  if (std::count(prefix.begin(), prefix.end(), '/') > kMostPackedLevels) {
    return Status(Code::kInvalid, "folders are nested too deeply: " + prefix.substr(0, kTarName));
  }
  for (const std::string& own : SortedNames(folder)) {
    if (Status status = AddEntry(folder, own, prefix + own); !status.ok()) return status;
  }
  return Status();
}

Status TarWriter::AddEntry(int folder, const std::string& own, const std::string& name) {
  struct stat info{};
  // What is removed while we look is not there.
  if (fstatat(folder, own.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return Status();
  TarHeader header{name, "", '0', info.st_mode & 0777, 0, info.st_mtime};
  if (S_ISDIR(info.st_mode)) {
    const os::UniqueFd opened(
        openat(folder, own.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!opened.ok()) return os::IoError("open", name, errno);
    header.name += "/";
    header.type = '5';
    if (names_.insert(name).second) {
      if (Status status = PutHeader(header); !status.ok()) return status;
    }
    return AddAllIn(opened.get(), name + "/");
  }
  if (!S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode)) return Status();
  if (!names_.insert(name).second) return Status();
  ++files_;
  if (S_ISREG(info.st_mode)) return AddFile(folder, own, name);
  std::string link(PATH_MAX, '\0');
  const ssize_t size = readlinkat(folder, own.c_str(), link.data(), link.size());
  link.resize(static_cast<size_t>(std::max<ssize_t>(size, 0)));
  header.link = std::move(link);
  header.type = '2';
  return PutHeader(header);
}

Status TarWriter::AddFile(int folder, const std::string& own, const std::string& name) {
  const auto file = os::OpenFileBeneath(folder, own);
  if (!file.ok()) return file.status();
  struct stat info{};
  if (fstat(file.value().get(), &info) != 0) return os::IoError("read", name, errno);
  const auto size = static_cast<uint64_t>(info.st_size);
  Status status = PutHeader({name, "", '0', info.st_mode & 0777, size, info.st_mtime});
  std::vector<char> chunk(kTarChunk);
  // Exactly as much as the header says, also if it shrinks meanwhile.
  for (uint64_t left = size; left > 0 && status.ok();) {
    const ssize_t got =
        read(file.value().get(), chunk.data(), std::min<uint64_t>(left, chunk.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return os::IoError("read", name, errno);
    auto count = static_cast<size_t>(got);
    if (count == 0) {
      count = std::min<uint64_t>(left, chunk.size());
      std::fill_n(chunk.begin(), count, '\0');
    }
    status = Put(chunk.data(), count);
    left -= count;
  }
  if (!status.ok()) return status;
  const std::string padding(TarPadding(size), '\0');
  return Put(padding.data(), padding.size());
}

Status TarWriter::PutHeader(TarHeader header) {
  std::string attributes;
  if (header.name.size() > kTarName) attributes += TarAttribute("path", header.name);
  if (header.link.size() > kTarName) attributes += TarAttribute("linkpath", header.link);
  if (!attributes.empty()) {
    const TarBlock before =
        MakeTarHeader({"attributes", "", 'x', 0644, attributes.size(), header.modified});
    if (Status status = Put(before.data(), before.size()); !status.ok()) return status;
    attributes.resize(attributes.size() + TarPadding(attributes.size()));
    if (Status status = Put(attributes.data(), attributes.size()); !status.ok()) return status;
    header.name.resize(std::min(header.name.size(), kTarName));
    header.link.resize(std::min(header.link.size(), kTarName));
  }
  const TarBlock block = MakeTarHeader(header);
  return Put(block.data(), block.size());
}

Status TarWriter::Put(const char* data, size_t size) {
  if (size == 0) return Status();
  if (gzwrite(file_.get(), data, static_cast<unsigned>(size)) == static_cast<int>(size)) {
    return Status();
  }
  return os::IoError("write", path_, errno);
}

Status TarWriter::Finish() {
  const std::string end(2 * kTarBlock, '\0');
  if (Status status = Put(end.data(), end.size()); !status.ok()) return status;
  errno = 0;
  if (gzclose(file_.release()) != Z_OK) return os::IoError("write", path_, errno);
  return Status();
}

}  // namespace warden::jobs
