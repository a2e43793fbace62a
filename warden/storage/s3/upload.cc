#include "warden/storage/s3/upload.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <sstream>
#include <utility>

#include "warden/format/layout.h"
#include "warden/storage/s3/parallel.h"
#include "warden/storage/s3/s3_parts.h"
#include "warden/storage/s3_location.h"

namespace warden::storage::s3 {
namespace {

// Of a large file so much is in memory at a time.
constexpr uint64_t kPieceBytes = 8 << 20;

// A file of that size that grows is sent again after it has grown by a quarter, or after a while.
constexpr uint64_t kLargeBytes = 1 << 20;
constexpr std::chrono::seconds kBetweenSends{30};

// Whether the key is of that name, or in that folder, of a run that lies here or further below.
bool IsOf(std::string_view key, std::string_view name) {
  if (name.ends_with('/'))
    return key.starts_with(name) || key.find(fmt::format("/{}", name)) != key.npos;
  return key == name || key.ends_with(fmt::format("/{}", name));
}

// Who refers to others comes after them.
int OrderOf(std::string_view key) {
  return IsOf(key, format::kEndMarker) ? 2 : IsOf(key, format::kIndexPrefix) ? 1 : 0;
}

}  // namespace

Result<std::unique_ptr<Upload>> Upload::Open(std::string_view folder, std::string_view url,
                                             const Variables& variables, std::string journal) {
  if (IsRemote(folder)) {
    return Status(Code::kInvalid, fmt::format("{}: expected a local folder to upload", folder));
  }
  Result<std::unique_ptr<Store>> from = OpenStore(folder);
  if (!from.ok()) return from.status();
  Result<Location> location = ParseLocation(url);
  if (!location.ok()) return location.status();
  auto source = OpenSource(location.value().bucket, variables);
  if (!source.ok()) return source.status().WithContext(url);
  const std::string& prefix = location.value().prefix;
  std::unique_ptr<Upload> upload(new Upload(std::move(from).value(),
                                            NewS3Store(source.value(), prefix),
                                            source.value()->client, prefix, std::move(journal)));
  if (Status status = upload->ReadJournal(); !status.ok()) return status;
  return upload;
}

// A line for each file: size, time, key. A crash may have cut off the last one.
Status Upload::ReadJournal() {
  if (journal_.empty()) return Status();
  looked_ = true;
  std::ifstream lines(journal_);
  std::string line;
  while (std::getline(lines, line)) {
    Version version;
    std::istringstream words(line);
    std::string key;
    if (words >> version.size >> version.modified_ns && words.get() == ' ' &&
        std::getline(words, key, '\n') && !lines.eof()) {
      sent_.insert_or_assign(key, SentFile{version});
    }
  }
  journal_end_ =
      os::UniqueFd(open(journal_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!journal_end_.ok()) return os::IoError("open", journal_, errno);
  // Whatever was cut off becomes a line that says nothing.
  return write(journal_end_.get(), "\n", 1) == 1 ? Status() : os::IoError("write", journal_, errno);
}

Status Upload::Note(const File& file) {
  sent_.insert_or_assign(file.key, SentFile{file.version, std::chrono::steady_clock::now()});
  // A key with a line break is sent again the next time.
  if (journal_.empty() || file.key.find('\n') != std::string::npos) return Status();
  const std::string line =
      fmt::format("{} {} {}\n", file.version.size, file.version.modified_ns, file.key);
  const ssize_t written = write(journal_end_.get(), line.data(), line.size());
  return written == static_cast<ssize_t>(line.size()) ? Status()
                                                      : os::IoError("write", journal_, errno);
}

std::optional<Upload::Version> Upload::VersionOf(const std::string& key) const {
  struct stat status = {};
  if (stat(from_->Locate(key).c_str(), &status) != 0) return std::nullopt;
  return Version{static_cast<uint64_t>(status.st_size),
                 status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

Status Upload::LookWhatIsThere() {
  if (looked_) return Status();
  auto objects = client_->List(prefix_, "");
  if (!objects.ok()) return objects.status();
  for (ListedObject& object : objects.value()) {
    std::string key = object.key.substr(std::min(prefix_.size(), object.key.size()));
    there_.insert_or_assign(std::move(key), std::move(object));
  }
  looked_ = true;
  return Status();
}

Result<std::vector<Upload::File>> Upload::NewFiles(Extent extent) {
  auto keys = from_->List("");
  if (!keys.ok()) return keys.status();
  const auto now = std::chrono::steady_clock::now();
  std::vector<File> files;
  for (std::string& key : keys.value()) {
    if (IsOf(key, format::kClaim)) continue;
    const auto version = VersionOf(key);
    if (!version) continue;
    if (const auto sent = sent_.find(key); sent != sent_.end()) {
      const uint64_t before = sent->second.version.size;
      const bool grows_a_little = before >= kLargeBytes && version->size >= before &&
                                  version->size < before + before / 4 &&
                                  now < sent->second.when + kBetweenSends;
      if (sent->second.version == *version) continue;
      if (grows_a_little && extent == Extent::kMayWait) continue;
    } else if (const auto there = there_.find(key); there != there_.end()) {
      const auto& modified = there->second.modified;
      if (there->second.size == version->size && modified &&
          modified->time_since_epoch().count() > version->modified_ns / 1'000'000) {
        continue;
      }
    }
    files.push_back({std::move(key), *version});
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) {
    return std::pair(OrderOf(a.key), std::string_view(a.key)) <
           std::pair(OrderOf(b.key), std::string_view(b.key));
  });
  return files;
}

Result<bool> Upload::HasMore() {
  const auto files = NewFiles(Extent::kComplete);
  if (!files.ok()) return files.status();
  return !files.value().empty();
}

uint64_t Upload::RemoveSent(uint64_t bytes) {
  uint64_t freed = 0;
  for (auto at = sent_.begin(); at != sent_.end() && freed < bytes; ++at) {
    const auto& [key, sent] = *at;
    if (!IsOf(key, format::kEventsPrefix) || VersionOf(key) != sent.version) continue;
    if (from_->Remove(key).ok()) freed += sent.version.size;
  }
  return freed;
}

Result<Upload::Sent> Upload::Pass(Extent extent) {
  if (Status status = LookWhatIsThere(); !status.ok()) return status;
  Sent sent;
  // Asked before listing: what is listed after the mark was seen is all there is.
  const bool ended = from_->Exists(format::kEndMarker);
  Result<std::vector<File>> files = NewFiles(extent);
  if (!files.ok()) return files.status();
  // Each order is complete before the next begins.
  for (auto begin = files.value().begin(); begin != files.value().end();) {
    const int order = OrderOf(begin->key);
    const auto end = std::find_if(begin, files.value().end(),
                                  [&](const File& file) { return OrderOf(file.key) != order; });
    if (Status status = SendAll({begin, end}, &sent); !status.ok()) return status;
    begin = end;
  }
  sent.ended = ended;
  total_.ended = ended;
  return sent;
}

Status Upload::SendAll(const std::vector<File>& files, Sent* sent) {
  std::mutex mutex;  // Guards what follows, and the members that change.
  Status first;
  InParallel(files.size(), [&](size_t i) {
    {
      const std::lock_guard lock(mutex);
      if (!first.ok()) return;
    }
    Status status = SendFile(files[i]);
    const std::lock_guard lock(mutex);
    if (status.ok()) status = Note(files[i]);
    if (!status.ok()) {
      if (first.ok()) first = status;
      return;
    }
    for (Sent* count : {sent, &total_}) {
      ++count->files;
      count->bytes += files[i].version.size;
    }
  });
  return first;
}

Status Upload::SendFile(const File& file) const {
  const auto object = from_->Open(file.key);
  if (!object.ok()) {
    // Removed meanwhile: there is nothing to send.
    return object.status().code() == Code::kNotFound ? Status() : object.status();
  }
  auto writer = to_->Create(file.key);
  if (!writer.ok()) return writer.status();
  const uint64_t size = object.value()->size();
  for (uint64_t at = 0; at < size; at += kPieceBytes) {
    const auto piece = object.value()->Read(at, std::min(kPieceBytes, size - at));
    if (!piece.ok()) return piece.status();
    if (Status status = writer.value()->Append(piece.value().bytes); !status.ok()) return status;
  }
  return writer.value()->Commit();
}

}  // namespace warden::storage::s3
