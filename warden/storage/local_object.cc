#include "warden/storage/local_object.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <new>
#include <optional>

#include "warden/os/posix.h"
#include "warden/storage/contract.h"
#include "warden/storage/shortened_files.h"

namespace warden::storage {
namespace {

// From about this length on, mapping costs less than copying, even into memory that is warm.
constexpr uint64_t kMapFrom = 128 << 10;

class Mapping {
 public:
  Mapping(void* start, size_t size)
      : start_(start), size_(size), guard_(std::in_place, start, size) {}
  ~Mapping() {
    guard_.reset();
    munmap(start_, size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  bool is_guarded() const { return guard_->ok(); }

 private:
  void* const start_;
  const size_t size_;
  std::optional<MappingGuard> guard_;
};

class LocalObject final : public Object {
 public:
  LocalObject(std::string path, os::UniqueFd fd, uint64_t size)
      : path_(std::move(path)), fd_(std::move(fd)), size_(size) {}

  uint64_t size() const override { return size_; }

  Result<Blob> Read(uint64_t offset, uint64_t length) const override {
    if (Status status = CheckRange(path_, size_, offset, length); !status.ok()) return status;
    if (length == 0) return Blob();
    if (length < kMapFrom) return Copy(offset, length);
    struct stat info;
    if (fstat(fd_.get(), &info) != 0) return os::IoError("read", path_, errno);
    // Shortened since it was opened: beyond its end a mapping has nothing to show.
    const auto size_now = static_cast<uint64_t>(info.st_size);
    if (Status status = CheckRange(path_, size_now, offset, length); !status.ok()) return status;
    if (std::optional<Blob> mapped = Map(offset, length)) return *std::move(mapped);
    return Copy(offset, length);
  }

 private:
  Result<Blob> Copy(uint64_t offset, uint64_t length) const;
  std::optional<Blob> Map(uint64_t offset, uint64_t length) const;

  std::string path_;
  os::UniqueFd fd_;
  uint64_t size_;
};

Result<Blob> LocalObject::Copy(uint64_t offset, uint64_t length) const {
  // Not zeroed first, and no exception where there is no memory.
  std::shared_ptr<std::byte[]> buffer(new (std::nothrow) std::byte[length]);
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

// Nothing where the file system cannot map. Whoever shortens a mapped file in place ends this
// process with SIGBUS at the next look beyond the new end, unless it asked to survive; files of a
// run are only ever replaced by a rename, which leaves the mapped one as it is. Private and
// writable: who is given the bytes of a value may change them, as NumPy's users do, and the file
// stays as it is.
std::optional<Blob> LocalObject::Map(uint64_t offset, uint64_t length) const {
  static const auto page_size = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t lead = offset % page_size;
  const size_t mapped = lead + length;
  void* start = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                     fd_.get(), static_cast<off_t>(offset - lead));
  if (start == MAP_FAILED) return std::nullopt;
  auto owner = std::make_shared<const Mapping>(start, mapped);
  if (!owner->is_guarded()) return std::nullopt;
  return Blob{Bytes(static_cast<const std::byte*>(start) + lead, length), std::move(owner)};
}

// ENXIO: a socket.
bool IsNoObject(int error) { return os::IsAbsence(error) || error == ENXIO; }

}  // namespace

Result<std::shared_ptr<const Object>> OpenLocalObject(std::string path) {
  // O_NONBLOCK: a FIFO that nobody writes to must not stop us.
  os::UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
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
