#include "warden/timeline/merge/text_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace warden::timeline {

struct TextSink::Packer {
  z_stream stream{};
  std::string out = std::string(kBlock, '\0');

  Packer() = default;
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  ~Packer() { deflateEnd(&stream); }

  bool Start() {
    constexpr int kWindowAndGzip = 15 + 16;
    constexpr int kMemory = 8;
    // The fastest level: timelines repeat themselves so much that more brings little.
    return deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kWindowAndGzip, kMemory,
                        Z_DEFAULT_STRATEGY) == Z_OK;
  }
};

TextSink::TextSink(std::string path, std::string unfinished, os::UniqueFd fd)
    : path_(std::move(path)), unfinished_(std::move(unfinished)), fd_(std::move(fd)) {
  buffer_.reserve(kBlock + kBlock / 4);
}

TextSink::TextSink(TextSink&& other) noexcept
    : path_(std::move(other.path_)),
      unfinished_(std::exchange(other.unfinished_, std::string())),
      fd_(std::move(other.fd_)),
      buffer_(std::move(other.buffer_)),
      packer_(std::move(other.packer_)),
      status_(std::move(other.status_)),
      bytes_(other.bytes_) {}

TextSink::~TextSink() {
  if (!unfinished_.empty()) unlink(unfinished_.c_str());
}

Result<TextSink> TextSink::Create(std::string path, bool gzip) {
  std::string unfinished = fmt::format("{}.{}.tmp", path, getpid());
  os::UniqueFd fd(open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!fd.ok()) return os::IoError("write", path, errno);
  TextSink sink(std::move(path), std::move(unfinished), std::move(fd));
  if (gzip) {
    sink.packer_ = std::make_unique<Packer>();
    if (!sink.packer_->Start()) return os::IoError("pack", sink.path_, ENOMEM);
  }
  return sink;
}

void TextSink::Flush() {
  if (packer_ != nullptr) {
    Pack(buffer_, /*last=*/false);
  } else {
    Write(buffer_);
  }
  buffer_.clear();
}

void TextSink::Pack(std::string_view text, bool last) {
  z_stream& stream = packer_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  do {
    stream.next_out = reinterpret_cast<Bytef*>(packer_->out.data());
    stream.avail_out = static_cast<uInt>(packer_->out.size());
    deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
    Write(std::string_view(packer_->out).substr(0, packer_->out.size() - stream.avail_out));
  } while (stream.avail_out == 0);
}

void TextSink::Write(std::string_view bytes) {
  while (status_.ok() && !bytes.empty()) {
    const ssize_t written = write(fd_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      status_ = os::IoError("write", path_, errno);
      return;
    }
    bytes_ += static_cast<uint64_t>(written);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

Status TextSink::Commit() {
  Flush();
  if (packer_ != nullptr) Pack({}, /*last=*/true);
  if (!status_.ok()) return status_;
  if (rename(unfinished_.c_str(), path_.c_str()) != 0) {
    return os::IoError("write", path_, errno);
  }
  unfinished_.clear();
  return {};
}

}  // namespace warden::timeline
