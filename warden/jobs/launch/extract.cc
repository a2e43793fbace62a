#include "warden/jobs/launch/extract.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <vector>

#include "warden/base/json.h"
#include "warden/jobs/launch/clean_path.h"
#include "warden/jobs/launch/tar_header.h"
#include "warden/jobs/launch/tar_source.h"
#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

constexpr uint64_t kMostAttributes = 1 << 20;

// A name that may come from anybody, for messages.
std::string Shown(const std::string& name) {
  std::string text;
  AppendJsonString(std::string_view(name).substr(0, 200), &text);
  return text;
}

Status Refused(const std::string& name, std::string_view why) {
  return Status(Code::kInvalid, fmt::format("entry {} rejected: {}", Shown(name), why));
}

// Whether a link of that name to that place stays below the folder, by the words of it. After a
// name, which may be that of another link, ".." would lead to wherever that one ends.
bool StaysInside(const std::string& name, const std::string& link) {
  if (link.empty() || link.starts_with('/') || link.find('\0') != std::string::npos) return false;
  auto depth = std::count(name.begin(), name.end(), '/');
  bool has_descended = false;
  for (size_t at = 0; at <= link.size();) {
    const size_t end = std::min(link.find('/', at), link.size());
    const std::string part = link.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      has_descended = true;
    } else if (has_descended || --depth < 0) {
      return false;
    }
  }
  return true;
}

class Extractor {
 public:
  Extractor(TarSource source, os::UniqueFd folder, const ExtractLimits& limits)
      : source_(std::move(source)), folder_(std::move(folder)), limits_(limits) {}

  Status Run() {
    for (;;) {
      auto header = NextHeader();
      if (!header.ok()) return header.status();
      if (!header.value()) return Status();
      if (++entries_ > limits_.entries) {
        return Status(Code::kInvalid,
                      fmt::format("the archive has more than {} entries", limits_.entries));
      }
      if (Status status = Make(*header.value()); !status.ok()) return status;
    }
  }

 private:
  // With the attributes that stand before it; nothing at the end.
  Result<std::optional<TarHeader>> NextHeader() {
    std::string attributes, long_name, long_link;
    for (;;) {
      TarBlock block;
      const auto more = source_.ReadHeader(&block);
      if (!more.ok()) return more.status();
      if (!more.value() || IsEmptyBlock(block)) return std::optional<TarHeader>();
      auto header = ParseTarHeader(block);
      if (!header.ok()) return header.status();
      const char type = header.value().type;
      if (type == 'x' || type == 'g' || type == 'L' || type == 'K') {
        auto text = ReadText(header.value().size);
        if (!text.ok()) return text.status();
        if (type == 'x') attributes = std::move(text.value());
        // GNU's way to have long names: the content is the name.
        if (type == 'L') long_name = text.value().substr(0, text.value().find('\0'));
        if (type == 'K') long_link = text.value().substr(0, text.value().find('\0'));
        continue;
      }
      if (!long_name.empty()) header.value().name = long_name;
      if (!long_link.empty()) header.value().link = long_link;
      const Status status = ApplyTarAttributes(attributes, &header.value());
      if (!status.ok()) return status;
      return std::optional(std::move(header.value()));
    }
  }

  Result<std::string> ReadText(uint64_t size) {
    // They cost no space on the disk, but time: as many as there may be entries is enough.
    if (size > kMostAttributes || ++attributes_ > 2 * limits_.entries) {
      return Status(Code::kInvalid, "the archive has too many attributes");
    }
    std::string text(size + TarPadding(size), '\0');
    if (Status status = source_.Read(text.data(), text.size()); !status.ok()) return status;
    text.resize(size);
    return text;
  }

  Status Make(const TarHeader& header) {
    const auto name = CleanRelative(header.name);
    if (!name) return Refused(header.name, "it points outside the folder");
    switch (header.type) {
      case '0':
      case '7':
        return name->empty() ? Refused(header.name, "it has no name") : MakeFile(*name, header);
      case '1': return MakeCopy(*name, header);
      case '2': return MakeLink(*name, header);
      case '5': {
        const auto made = os::MakeFolderBeneath(folder_.get(), *name);
        return made.ok() ? Status() : made.status();
      }
      default: return Refused(header.name, "it is not a file, folder or link");
    }
  }

  // The folder that an entry is in, and its name there, free to be made.
  Result<std::pair<os::UniqueFd, std::string>> Place(const std::string& name) {
    const auto [parent, last] = os::SplitLast(name);
    auto folder = os::MakeFolderBeneath(folder_.get(), parent);
    if (!folder.ok()) return folder.status();
    std::string own(last);
    // The later one of two counts. A folder stays, and making the entry fails.
    unlinkat(folder.value().get(), own.c_str(), 0);
    return std::pair(std::move(folder.value()), std::move(own));
  }

  Result<os::UniqueFd> NewFile(const std::string& name, mode_t mode) {
    const auto place = Place(name);
    if (!place.ok()) return place.status();
    os::UniqueFd file(openat(place.value().first.get(), place.value().second.c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file.ok()) return os::IoError("create", Shown(name), errno);
    return file;
  }

  Status Count(uint64_t bytes) {
    if (bytes > limits_.bytes - bytes_) {
      return Status(Code::kInvalid,
                    fmt::format("the archive contains more than {} bytes, the size of the volume",
                                limits_.bytes));
    }
    bytes_ += bytes;
    return Status();
  }

  Status MakeFile(const std::string& name, const TarHeader& header) {
    if (Status status = Count(header.size); !status.ok()) return status;
    const auto file = NewFile(name, 0600 | (header.mode & 0755));
    if (!file.ok()) return file.status();
    std::vector<char> chunk(kTarChunk);
    for (uint64_t left = header.size; left > 0;) {
      const size_t size = std::min<uint64_t>(left, chunk.size());
      if (Status status = source_.Read(chunk.data(), size); !status.ok()) return status;
      if (Status status = WriteAll(file.value().get(), chunk.data(), size, name); !status.ok()) {
        return status;
      }
      left -= size;
    }
    return source_.Read(chunk.data(), TarPadding(header.size));
  }

  // Another name for a file that was there before. A copy, so that to change one is not to change
  // the other behind our back.
  Status MakeCopy(const std::string& name, const TarHeader& header) {
    const auto target = CleanRelative(header.link);
    if (name.empty() || !target || target->empty()) {
      return Refused(header.name, "it is a link that points outside the folder");
    }
    const auto from = os::OpenFileBeneath(folder_.get(), *target);
    if (!from.ok())
      return Refused(header.name, "it is a link to an entry that does not precede it");
    struct stat info{};
    fstat(from.value().get(), &info);
    if (name == *target) return Status();
    if (Status status = Count(static_cast<uint64_t>(info.st_size)); !status.ok()) return status;
    const auto file = NewFile(name, 0600 | (info.st_mode & 0755));
    if (!file.ok()) return file.status();
    std::vector<char> chunk(kTarChunk);
    for (ssize_t got = 0; (got = read(from.value().get(), chunk.data(), chunk.size())) != 0;) {
      if (got < 0) return os::IoError("read", Shown(*target), errno);
      const Status status =
          WriteAll(file.value().get(), chunk.data(), static_cast<size_t>(got), name);
      if (!status.ok()) return status;
    }
    return Status();
  }

  Status MakeLink(const std::string& name, const TarHeader& header) {
    if (name.empty() || !StaysInside(name, header.link)) {
      return Refused(header.name, "it is a link that points outside the folder");
    }
    const auto place = Place(name);
    if (!place.ok()) return place.status();
    if (symlinkat(header.link.c_str(), place.value().first.get(), place.value().second.c_str()) !=
        0) {
      return os::IoError("create", Shown(name), errno);
    }
    return Status();
  }

  static Status WriteAll(int file, const char* data, size_t size, const std::string& name) {
    while (size > 0) {
      const ssize_t written = write(file, data, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return os::IoError("write", Shown(name), errno);
      data += written;
      size -= static_cast<size_t>(written);
    }
    return Status();
  }

  TarSource source_;
  os::UniqueFd folder_;
  const ExtractLimits limits_;
  uint64_t bytes_ = 0;
  uint64_t entries_ = 0;
  uint64_t attributes_ = 0;
};

}  // namespace

Status ExtractTar(const std::string& archive, const std::string& folder,
                  const ExtractLimits& limits) {
  auto source = TarSource::Open(archive);
  if (!source.ok()) return source.status();
  os::UniqueFd into(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!into.ok()) return os::IoError("open", folder, errno);
  return Extractor(std::move(source.value()), std::move(into), limits).Run();
}

}  // namespace warden::jobs
