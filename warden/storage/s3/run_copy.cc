#include "warden/storage/s3/run_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>
#include <utility>

#include "warden/format/layout.h"
#include "warden/format/profiler_layout.h"
#include "warden/storage/local_store.h"

namespace warden::storage::s3 {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 2000;  // In one Update.
// In memory at a time.
constexpr size_t kFilesAtOnce = 16;
constexpr uint64_t kBytesAtOnce = 64 << 20;
// Of a file beside the run's folders: the end mark, and not a model that somebody left there.
constexpr uint64_t kMostLooseBytes = 1 << 20;
constexpr std::string_view kDebugOutput = "debug-output/";
constexpr std::string_view kProfile = "profiler-output/";
constexpr std::array<std::string_view, 5> kCopied = {
    format::kIndexPrefix, "collections/", format::kOwnPrefix, format::kRuleOutputPrefix, kProfile};

// The key below the folder of tensors.
std::string_view OfTensors(std::string_view key) {
  if (key.starts_with(kDebugOutput)) key.remove_prefix(kDebugOutput.size());
  return key;
}

bool IsIndex(std::string_view key) { return OfTensors(key).starts_with(format::kIndexPrefix); }
bool IsProfile(std::string_view key) { return key.starts_with(kProfile); }

// What refers to other files comes after them, and what is large comes last.
int RankOf(std::string_view key) {
  const bool is_end = format::BaseName(key) == format::kEndMarker;
  if (IsProfile(key)) return is_end ? 4 : 3;
  return is_end ? 2 : IsIndex(key) ? 1 : 0;
}

// Whether more comes at the end of it, and nothing else changes.
bool Grows(std::string_view key) {
  return IsProfile(key) || OfTensors(key).starts_with("warden/log/") || key.ends_with(".jsonl");
}

// The name of a file of metrics while it was written; empty for other files.
std::string UnfinishedName(const std::string& key) {
  constexpr std::string_view kFinished = ".json";
  if (!IsProfile(key)) return "";
  const auto name = format::ParseMetricFileKey(std::string_view(key).substr(kProfile.size()));
  if (!name || !name->finished) return "";
  return key.substr(0, key.size() - kFinished.size()) + std::string(format::kUnfinishedMetrics);
}

void SetTime(const std::string& path, const Time& time, long nanoseconds) {
  const auto since = std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch());
  const timespec at{since.count(), nanoseconds};
  const timespec times[] = {at, at};
  (void)utimensat(AT_FDCWD, path.c_str(), times, 0);  // Without it, the run only looks newer.
}

}  // namespace

RunCopy::RunCopy(std::shared_ptr<Source> source, std::string prefix, std::string folder)
    : source_(std::move(source)),
      prefix_(std::move(prefix)),
      folder_(std::move(folder)),
      from_(NewS3Store(source_, prefix_)),
      to_(NewLocalStore(folder_)) {}

Status RunCopy::ListBelow(const std::string& folder, Objects* objects) const {
  auto listed = source_->client->List(prefix_ + folder, "");
  if (!listed.ok()) return listed.status();
  for (ListedObject& object : listed.value()) {
    std::string key = object.key.substr(std::min(object.key.size(), prefix_.size()));
    if (!IsValidKey(key)) continue;
    source_->listed.Saw(object.key, object.etag);
    objects->emplace(std::move(key), std::move(object));
  }
  return Status();
}

Result<RunCopy::Objects> RunCopy::List(Extent extent) const {
  Objects objects;
  std::vector<std::string> inside = {""};
  while (!inside.empty()) {
    const std::string parent = std::move(inside.back());
    inside.pop_back();
    auto listed = source_->client->ListFolder(prefix_ + parent);
    if (!listed.ok()) return listed.status();
    for (ListedObject& object : listed.value().objects) {
      std::string key = object.key.substr(std::min(object.key.size(), prefix_.size()));
      // A claim means nothing here.
      if (!IsValidKey(key) || object.size > kMostLooseBytes ||
          format::BaseName(key) == format::kClaim) {
        continue;
      }
      objects.emplace(std::move(key), std::move(object));
    }
    for (const std::string& whole : listed.value().folders) {
      const std::string folder = whole.substr(std::min(whole.size(), prefix_.size()));
      if (parent.empty() && folder == kDebugOutput) inside.push_back(folder);
      const std::string_view name = std::string_view(folder).substr(parent.size());
      if (std::find(kCopied.begin(), kCopied.end(), name) == kCopied.end()) continue;
      // It shows that there is a run, before anything of it is here.
      std::error_code error;
      fs::create_directories(folder_ + "/" + folder, error);
      if (IsProfile(folder) && extent == Extent::kWithoutProfile) {
        fs::create_directories(folder_ + "/" + folder + "system", error);
        continue;
      }
      if (Status status = ListBelow(folder, &objects); !status.ok()) return status;
    }
  }
  return objects;
}

bool RunCopy::IsReplaced(const Objects& objects) const {
  return std::any_of(copied_.begin(), copied_.end(), [&](const auto& copied) {
    if (!IsIndex(copied.first)) return false;
    const auto now = objects.find(copied.first);
    return now == objects.end() || now->second.etag != copied.second.etag;
  });
}

void RunCopy::Clear() {
  std::error_code error;
  fs::remove_all(folder_, error);
  copied_.clear();
  bytes_ = profile_bytes_ = 0;
}

void RunCopy::SetCopied(const std::string& key, Copied copied) {
  Forget(key);
  bytes_ += copied.size;
  if (IsProfile(key)) profile_bytes_ += copied.size;
  copied_[key] = std::move(copied);
}

void RunCopy::Forget(const std::string& key) {
  const auto known = copied_.find(key);
  if (known == copied_.end()) return;
  bytes_ -= known->second.size;
  if (IsProfile(key)) profile_bytes_ -= known->second.size;
  copied_.erase(known);
}

Status RunCopy::RemoveVanished(const Objects& objects, Extent extent) {
  std::vector<std::string> vanished;
  for (const auto& [key, copied] : copied_) {
    const bool asked = extent == Extent::kAll || !IsProfile(key);
    if (asked && !objects.contains(key)) vanished.push_back(key);
  }
  for (const std::string& key : vanished) {
    if (Status status = to_->Remove(key); !status.ok()) return status;
    Forget(key);
  }
  return Status();
}

Status RunCopy::Rename(const std::string& from, const std::string& to) {
  // The same file under its last name: readers have seen its first lines already.
  if (std::rename(to_->Locate(from).c_str(), to_->Locate(to).c_str()) != 0) {
    return Status(Code::kIo, fmt::format("cannot rename {}", to_->Locate(from)));
  }
  Copied copied{"", copied_[from].size};
  Forget(from);
  SetCopied(to, std::move(copied));
  return Status();
}

Status RunCopy::Continue(const std::string& key, const ListedObject& object) {
  const uint64_t before = copied_[key].size;
  const auto opened = from_->Open(key);
  if (!opened.ok()) return opened.status();
  const uint64_t size = opened.value()->size();
  if (size > before) {
    const auto more = opened.value()->Read(before, size - before);
    if (!more.ok()) return more.status();
    const std::string path = to_->Locate(key);
    const std::string_view text = AsText(more.value().bytes);
    std::ofstream file(path, std::ios::binary | std::ios::app);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) return Status(Code::kIo, "cannot write " + path);
    if (object.modified) SetTime(path, *object.modified, 0);
  }
  // What was added since it was listed is another version.
  SetCopied(key, {size == object.size ? object.etag : "", std::max(size, before)});
  return Status();
}

Status RunCopy::CopyNew(const std::vector<std::string>& keys, const Objects& objects) {
  for (std::span<const std::string> rest = keys; !rest.empty();) {
    size_t count = 0;
    for (uint64_t bytes = 0; count < std::min(rest.size(), kFilesAtOnce); ++count) {
      bytes += objects.at(rest[count]).size;
      if (count > 0 && bytes > kBytesAtOnce) break;
    }
    const auto batch = rest.first(count);
    const auto blobs = from_->ReadMany(batch);
    for (size_t i = 0; i < count; ++i) {
      const ListedObject& object = objects.at(batch[i]);
      // Removed since it was listed.
      if (blobs[i].status().code() == Code::kNotFound) continue;
      if (!blobs[i].ok()) return blobs[i].status();
      const Bytes content = blobs[i].value().bytes;
      if (Status status = to_->Put(batch[i], content); !status.ok()) return status;
      if (object.modified) SetTime(to_->Locate(batch[i]), *object.modified, 0);
      SetCopied(batch[i], {content.size() == object.size ? object.etag : "", content.size()});
    }
    rest = rest.subspan(count);
  }
  return Status();
}

void RunCopy::SetTimes(const Objects& objects) const {
  struct Folder {
    Time latest;
    long files = 0;
  };
  std::map<std::string, Folder> folders;
  for (const auto& [key, object] : objects) {
    if (!object.modified || !copied_.contains(key)) continue;
    for (size_t slash = key.rfind('/'); slash != key.npos && slash > 0;
         slash = key.rfind('/', slash - 1)) {
      Folder& folder = folders[key.substr(0, slash)];
      folder.latest = std::max(folder.latest, *object.modified);
      ++folder.files;
    }
  }
  // Servers tell whole seconds: the number of files distinguishes what came within one.
  for (const auto& [name, folder] : folders) {
    SetTime(folder_ + "/" + name, folder.latest, folder.files);
  }
}

Result<RunCopy::Outcome> RunCopy::Update(Extent extent, uint64_t room) {
  auto listed = List(extent);
  if (!listed.ok()) return listed.status();
  Objects& objects = listed.value();
  if (IsReplaced(objects)) {
    Clear();
    listed = List(extent);
    if (!listed.ok()) return listed.status();
  }
  std::vector<std::string> keys;
  for (const auto& [key, object] : objects) {
    const std::string unfinished = UnfinishedName(key);
    if (!unfinished.empty() && copied_.contains(unfinished)) {
      if (Status status = Rename(unfinished, key); !status.ok()) return status;
    }
    const auto known = copied_.find(key);
    if (known == copied_.end() || known->second.etag != object.etag) keys.push_back(key);
  }
  // An upload keeps both names.
  std::erase_if(keys, [&](const std::string& key) {
    if (!key.ends_with(format::kUnfinishedMetrics)) return false;
    const std::string stem = key.substr(0, key.size() - format::kUnfinishedMetrics.size());
    return objects.contains(stem + ".json");
  });
  if (Status status = RemoveVanished(objects, extent); !status.ok()) return status;
  std::sort(keys.begin(), keys.end(), [](const std::string& a, const std::string& b) {
    return std::pair(RankOf(a), std::string_view(a)) < std::pair(RankOf(b), std::string_view(b));
  });
  Outcome outcome;
  outcome.changed = !keys.empty();
  if (keys.size() > kMostFiles) {
    keys.resize(kMostFiles);
    outcome.complete = false;
  }
  std::vector<std::string> fresh;
  Status status;
  for (const std::string& key : keys) {
    const ListedObject& object = objects.at(key);
    const auto known = copied_.find(key);
    const uint64_t before = known == copied_.end() ? 0 : known->second.size;
    const uint64_t more = object.size > before ? object.size - before : 0;
    if (more > room) {
      outcome.full = true;
      continue;
    }
    room -= more;
    if (known != copied_.end() && Grows(key) && object.size >= before) {
      status = Continue(key, object);
      if (!status.ok()) break;
    } else {
      fresh.push_back(key);
    }
  }
  if (status.ok()) status = CopyNew(fresh, objects);
  if (!keys.empty()) SetTimes(objects);
  if (!status.ok()) return status;
  ended_ = outcome.complete &&
           (copied_.contains(std::string(format::kEndMarker)) ||
            copied_.contains(std::string(kDebugOutput) + std::string(format::kEndMarker)));
  return outcome;
}

void RunCopy::DropProfile() {
  std::error_code error;
  fs::remove_all(folder_ + "/" + std::string(kProfile) + "framework", error);
  fs::remove_all(folder_ + "/" + std::string(kProfile) + "system", error);
  std::vector<std::string> keys;
  for (const auto& [key, copied] : copied_) {
    if (IsProfile(key)) keys.push_back(key);
  }
  for (const std::string& key : keys) Forget(key);
}

}  // namespace warden::storage::s3
