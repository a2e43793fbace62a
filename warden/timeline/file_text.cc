#include "warden/timeline/file_text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "warden/os/open_inside.h"
#include "warden/os/posix.h"

namespace warden::timeline {
namespace {

os::UniqueFd Open(const FilePlace& file) {
  // O_NONBLOCK: a FIFO that nobody writes to must not stop us.
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  if (file.root == std::string::npos) return os::UniqueFd(open(file.path.c_str(), kFlags));
  return os::OpenInside(file.path.substr(0, file.root),
                        std::string_view(file.path).substr(file.root), kFlags);
}

Result<os::UniqueFd> OpenRegular(const FilePlace& file, size_t* size) {
  const std::string& path = file.path;
  os::UniqueFd fd = Open(file);
  if (!fd.ok() && errno == ELOOP) {
    return Status(Code::kNotFound, fmt::format("{} is a link that leads out of the run", path));
  }
  if (!fd.ok()) return os::IoError("open", path, errno);
  struct stat info;
  if (fstat(fd.get(), &info) != 0) return os::IoError("open", path, errno);
  if (!S_ISREG(info.st_mode)) {
    return Status(Code::kNotFound, fmt::format("{} is not a regular file", path));
  }
  *size = static_cast<size_t>(info.st_size);
  return fd;
}

// Unpacks what inflate is given; false at the end, whether it is the right one or not.
class Inflater {
 public:
  explicit Inflater(std::string_view packed) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    good_ = inflateInit2(&stream_, kGzipOnly) == Z_OK;
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Fills what is left of the text's room.
  bool Fill(size_t room, PaddedText* text) {
    stream_.next_out = reinterpret_cast<Bytef*>(text->data() + text->size());
    stream_.avail_out = static_cast<uInt>(room);
    outcome_ = inflate(&stream_, Z_NO_FLUSH);
    text->SetSize(text->size() + room - stream_.avail_out);
    return outcome_ == Z_OK;
  }

  bool good() const { return good_; }
  bool whole() const { return outcome_ == Z_STREAM_END; }
  bool cut() const { return outcome_ == Z_BUF_ERROR; }

 private:
  static constexpr int kGzipOnly = 15 + 16;
  z_stream stream_{};
  int outcome_ = Z_OK;
  bool good_ = false;
};

}  // namespace

void PaddedText::Reserve(size_t capacity) {
  if (capacity <= capacity_ && data_ != nullptr) return;
  capacity = std::max(capacity, capacity_ + capacity_ / 2);
  std::unique_ptr<char[]> grown(new char[capacity + kPadding]);
  if (size_ > 0) std::memcpy(grown.get(), data_.get(), size_);
  data_ = std::move(grown);
  capacity_ = capacity;
  SetSize(size_);
}

void PaddedText::SetSize(size_t size) {
  size_ = size;
  std::memset(data_.get() + size, 0, kPadding);
}

void PaddedText::Append(std::string_view more) {
  Reserve(size_ + more.size());
  std::memcpy(data_.get() + size_, more.data(), more.size());
  SetSize(size_ + more.size());
}

void PaddedText::Drop(size_t bytes) {
  if (bytes == 0) return;
  std::memmove(data_.get(), data_.get() + bytes, size_ - bytes);
  SetSize(size_ - bytes);
}

Status ReadFileRange(const FilePlace& file, size_t offset, size_t most, PaddedText* text) {
  size_t size = 0;
  const auto fd = OpenRegular(file, &size);
  if (!fd.ok()) return fd.status();
  most = std::min(most, size - std::min(size, offset));
  text->Reserve(text->size() + most);
  while (most > 0) {
    const ssize_t got =
        pread(fd.value().get(), text->data() + text->size(), most, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return os::IoError("read", file.path, errno);
    if (got == 0) break;
    text->SetSize(text->size() + static_cast<size_t>(got));
    offset += static_cast<size_t>(got);
    most -= static_cast<size_t>(got);
  }
  return {};
}

Result<PaddedText> ReadWholeFile(const FilePlace& file) {
  PaddedText text;
  if (Status status = ReadFileRange(file, 0, SIZE_MAX, &text); !status.ok()) return status;
  return text;
}

Result<PaddedText> ReadGzipFile(const FilePlace& file, size_t most, bool* cut) {
  const std::string& path = file.path;
  const auto packed = ReadWholeFile(file);
  if (!packed.ok()) return packed.status();
  *cut = false;
  if (packed.value().size() > UINT32_MAX) {
    return Status(Code::kCorrupt, fmt::format("{} is larger than 4 GiB", path));
  }
  Inflater inflater(packed.value().text());
  if (!inflater.good()) return os::IoError("unpack", path, ENOMEM);
  PaddedText text;
  size_t room = std::max<size_t>(packed.value().size() * 8, 1 << 16);
  do {
    if (text.size() >= most) {
      return Status(Code::kCorrupt,
                    fmt::format("{} has more than {} bytes when uncompressed", path, most));
    }
    room = std::min({room, most - text.size(), size_t{1} << 30});
    text.Reserve(text.size() + room);
  } while (inflater.Fill(room, &text));
  *cut = !inflater.whole();
  if (inflater.whole() || inflater.cut() || text.size() > 0) return text;
  return Status(Code::kCorrupt, fmt::format("{} is not a gzip file or is corrupt", path));
}

}  // namespace warden::timeline
