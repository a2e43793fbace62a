#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>

#include "warden/os/open_inside.h"
#include "warden/os/posix.h"
#include "warden/storage/contract.h"
#include "warden/storage/local_parts.h"
#include "warden/storage/shortened_files.h"

namespace warden::storage {
namespace {

// From about this length on, mapping costs less than copying, even into memory that is warm.
constexpr uint64_t kMapFrom = 128 << 10;

// From this length on, malloc takes fresh memory each time, of which large pages are filled in half
// the time. What is shorter comes from memory that was used before, which is faster still.
constexpr uint64_t kLargePagesFrom = 32 << 20;
constexpr uint64_t kLargePage = 2 << 20;

class Mapping {
 public:
  Mapping(void* start, size_t size, MappedFile file)
      : start_(start), size_(size), file_(std::move(file)), guard_(std::in_place, start, size) {}
  ~Mapping() {
    if (is_guarded()) ReportIfShortened(file_);
    guard_.reset();
    munmap(start_, size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  bool is_guarded() const { return guard_->ok(); }

 private:
  void* const start_;
  const size_t size_;
  const MappedFile file_;
  std::optional<MappingGuard> guard_;
};

// Memory that is not zeroed first; null where there is none.
std::shared_ptr<std::byte> NewBuffer(uint64_t length) {
  void* memory = nullptr;
  if (length < kLargePagesFrom) {
    memory = std::malloc(length);
  } else if (length <= SIZE_MAX - kLargePage) {
    const size_t whole_pages = (length + kLargePage - 1) / kLargePage * kLargePage;
    memory = std::aligned_alloc(kLargePage, whole_pages);
    if (memory != nullptr) madvise(memory, whole_pages, MADV_HUGEPAGE);
  }
  if (memory == nullptr) return nullptr;
  return {static_cast<std::byte*>(memory), std::free};
}

class LocalObject final : public Object {
 public:
  LocalObject(std::string path, os::UniqueFd fd, uint64_t size)
      : path_(std::move(path)), fd_(std::move(fd)), size_(size) {}

  uint64_t size() const override { return size_; }

  Result<Blob> Read(uint64_t offset, uint64_t length) const override {
    if (Status status = CheckRange(path_, size_, offset, length); !status.ok()) return status;
    if (length == 0) return Blob();
    if (length < kMapFrom || !SurvivesShortenedFiles()) return Copy(offset, length);
    struct stat info;
    if (fstat(fd_.get(), &info) != 0) return os::IoError("read", path_, errno);
    // Shortened since it was opened: beyond its end a mapping has nothing to show.
    const auto size_now = static_cast<uint64_t>(info.st_size);
    if (Status status = CheckRange(path_, size_now, offset, length); !status.ok()) return status;
    const MappedFile file{path_, info.st_dev, info.st_ino, offset + length};
    if (std::optional<Blob> mapped = Map(offset, length, file)) return *std::move(mapped);
    return Copy(offset, length);
  }

 private:
  Result<Blob> Copy(uint64_t offset, uint64_t length) const;
  std::optional<Blob> Map(uint64_t offset, uint64_t length, const MappedFile& file) const;

  std::string path_;
  os::UniqueFd fd_;
  uint64_t size_;
};

Result<Blob> LocalObject::Copy(uint64_t offset, uint64_t length) const {
  std::shared_ptr<std::byte> buffer = NewBuffer(length);
  if (buffer == nullptr) return os::IoError("read", path_, ENOMEM);
  for (uint64_t done = 0; done < length;) {
    const ssize_t n =
        pread(fd_.get(), buffer.get() + done, length - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return os::IoError("read", path_, errno);
    if (n == 0) return CheckRange(path_, offset + done, offset, length);  // Shortened meanwhile.
    done += static_cast<uint64_t>(n);
  }
  const Bytes bytes(buffer.get(), length);
  return Blob{bytes, std::move(buffer)};
}

// Nothing where the file system cannot map. What somebody cuts off of a mapped file reads as zeros
// and is reported when the mapping ends (shortened_files.h); files of a run are only ever replaced
// by a rename, which leaves the mapped one as it is. Private and writable: who is given the bytes
// of a value may change them, and the file stays as it is.
std::optional<Blob> LocalObject::Map(uint64_t offset, uint64_t length,
                                     const MappedFile& file) const {
  static const auto page_size = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t lead = offset % page_size;
  const size_t mapped = lead + length;
  void* start = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                     fd_.get(), static_cast<off_t>(offset - lead));
  if (start == MAP_FAILED) return std::nullopt;
  auto owner = std::make_shared<const Mapping>(start, mapped, file);
  if (!owner->is_guarded()) return std::nullopt;
  return Blob{Bytes(static_cast<const std::byte*>(start) + lead, length), std::move(owner)};
}

// ENXIO: a socket.
bool IsNoObject(int error) { return os::IsAbsence(error) || error == ENXIO; }

}  // namespace

Result<std::shared_ptr<const Object>> OpenLocalObject(const std::string& root,
                                                      std::string_view key) {
  std::string path = root + std::string(key);
  // O_NONBLOCK: a FIFO that nobody writes to must not stop us.
  os::UniqueFd fd = os::OpenInside(root, key, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!fd.ok() && errno == ELOOP) {
    return Status(Code::kNotFound, fmt::format("{} is a link that leads out of the folder", path));
  }
  if (!fd.ok() && IsNoObject(errno)) {
    return Status(Code::kNotFound, fmt::format("{}: {}", path, os::ErrorText(errno)));
  }
  if (!fd.ok()) return os::IoError("open", path, errno);
  struct stat info;
  if (fstat(fd.get(), &info) != 0) return os::IoError("open", path, errno);
  if (!S_ISREG(info.st_mode)) {
    return Status(Code::kNotFound, fmt::format("{} is not a regular file", path));
  }
  return std::shared_ptr<const Object>(std::make_shared<LocalObject>(
      std::move(path), std::move(fd), static_cast<uint64_t>(info.st_size)));
}

}  // namespace warden::storage
