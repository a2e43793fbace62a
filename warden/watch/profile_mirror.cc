#include "warden/watch/profile_mirror.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <span>
#include <stop_token>
#include <utility>

#include "warden/base/log.h"
#include "warden/format/profiler_layout.h"
#include "warden/storage/spool/process_lock.h"
#include "warden/timeline/profile_files.h"

namespace warden::watch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolderName = "warden-profile-";
constexpr std::string_view kLock = ".lock";
// In memory at a time.
constexpr size_t kFilesAtOnce = 16;
// That one request lists.
constexpr size_t kFilesListed = 1000;
constexpr std::chrono::seconds kBetweenWholeLists{30};
constexpr std::string_view kFinishedMetrics = ".json";
constexpr std::string_view kMetadata = ".metadata";

// Whoever made it holds its lock while it lives.
void RemoveFoldersOfTheDead(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
    const std::string lock = at->path().string();
    if (!at->path().filename().string().starts_with(kFolderName) || !lock.ends_with(kLock)) {
      continue;
    }
    // It locks the file a moment after it has made it.
    std::error_code gone;
    const auto made = fs::last_write_time(lock, gone);
    if (gone || fs::file_time_type::clock::now() - made < std::chrono::minutes(1)) continue;
    if (storage::spool::LockHolder(lock) != 0) continue;
    fs::remove_all(lock.substr(0, lock.size() - kLock.size()), gone);
    fs::remove(lock, gone);
  }
}

bool IsEndMark(std::string_view key) {
  return key == format::kSystemEnd || key == format::kFrameworkEnd;
}

// The name of a file of metrics while it is written; empty for other files.
std::string UnfinishedName(const std::string& key) {
  const auto name = format::ParseMetricFileKey(key);
  if (!name || !name->finished) return "";
  return key.substr(0, key.size() - kFinishedMetrics.size()) +
         std::string(format::kUnfinishedMetrics);
}

// The folder of an hour that a file lies in: "system/incremental/2026010112"; empty for others.
std::string_view HourOf(std::string_view key) {
  if (!format::ParseMetricFileKey(key) && !format::ParseTimelineFileKey(key)) return "";
  return key.substr(0, key.rfind('/'));
}

// From where on a sorted list may change: the last hour but one of the two that have files, since a
// file is finished in the hour in which it began. Empty: from the beginning.
std::string StartOfChanges(const std::vector<std::string>& keys) {
  std::string_view last;
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    const std::string_view hour = HourOf(*key);
    if (hour.empty() || hour == last) continue;
    if (!last.empty()) return std::string(hour);
    last = hour;
  }
  return std::string(last);
}

// Whether it gets its name when nothing more comes.
bool IsFinished(const std::string& key) {
  if (const auto metrics = format::ParseMetricFileKey(key)) return metrics->finished;
  if (const auto timeline = format::ParseTimelineFileKey(key)) return timeline->finished;
  return key.ends_with(kMetadata);
}

}  // namespace

Result<std::unique_ptr<ProfileMirror>> ProfileMirror::Make(
    std::unique_ptr<const storage::Store> from) {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) return Status(Code::kIo, "no temporary folder: " + error.message());
  RemoveFoldersOfTheDead(parent);
  std::string folder = (parent / (std::string(kFolderName) + "XXXXXX")).string();
  if (mkdtemp(folder.data()) == nullptr) {
    return Status(Code::kIo, fmt::format("cannot make a folder in {}", parent.string()));
  }
  storage::spool::TakeLock(folder + std::string(kLock), storage::spool::Lock::kAlone);
  auto to = storage::OpenStore(folder);
  if (!to.ok()) return to.status();
  return std::unique_ptr<ProfileMirror>(
      new ProfileMirror(std::move(from), std::move(to).value(), std::move(folder)));
}

ProfileMirror::~ProfileMirror() {
  follower_ = {};
  std::error_code error;
  fs::remove_all(folder_, error);
  fs::remove(folder_ + std::string(kLock), error);
  storage::spool::DropLock(folder_ + std::string(kLock));
}

Result<std::vector<std::string>> ProfileMirror::List(std::string_view prefix, bool whole) {
  Listed& listed = listed_[prefix];
  const auto now = Clock::now();
  whole |= listed.files <= kFilesListed || now - listed.when > kBetweenWholeLists;
  auto keys = from_->List(prefix, whole ? "" : listed.start);
  if (!keys.ok()) return keys;
  if (whole) {
    listed.files = keys.value().size();
    listed.when = now;
  }
  if (std::string start = StartOfChanges(keys.value()); !start.empty()) {
    if (start > listed.start) listed.start = std::move(start);
  }
  return keys;
}

Result<ProfileMirror::Found> ProfileMirror::Look(bool whole) {
  std::vector<std::string> all;
  for (const std::string_view prefix : {format::kFrameworkPrefix, format::kSystemPrefix}) {
    auto keys = List(prefix, whole);
    if (!keys.ok()) return keys.status();
    std::move(keys.value().begin(), keys.value().end(), std::back_inserter(all));
  }
  Found found;
  std::set<std::string> replaced;  // By finished files.
  for (const std::string& key : all) {
    if (IsEndMark(key)) {
      found.marks.push_back(key);
    } else if (timeline::ToMetricFile("", key) || timeline::ToTraceFile("", key, all) ||
               key.ends_with(kMetadata)) {
      replaced.insert(UnfinishedName(key));
      if (!finished_.contains(key)) found.files.push_back(key);
    }
  }
  // A copy elsewhere keeps both names.
  std::erase_if(found.files, [&](const std::string& key) { return replaced.contains(key); });
  return found;
}

Status ProfileMirror::Update() {
  auto found = Look(false);
  if (!found.ok()) return found.status();
  const auto is_new = [this](const std::string& mark) { return !sizes_.contains(mark); };
  std::erase_if(found.value().marks, [&](const std::string& mark) { return !is_new(mark); });
  std::vector<std::string> marks = std::move(found.value().marks);
  if (!marks.empty()) {
    // Listing takes time: only a list that began after the mark was there has everything.
    found = Look(true);
    if (!found.ok()) return found.status();
  }
  std::vector<std::string> fresh;
  for (const std::string& key : found.value().files) {
    const std::string unfinished = UnfinishedName(key);
    const bool known = sizes_.contains(key);
    if (!known && !sizes_.contains(unfinished)) {
      fresh.push_back(key);
    } else if (Status status = Continue(known ? key : unfinished, key); !status.ok()) {
      return status;
    }
  }
  if (Status status = CopyNew(fresh); !status.ok()) return status;
  return CopyNew(marks);
}

Status ProfileMirror::CopyNew(const std::vector<std::string>& keys) {
  for (std::span<const std::string> rest = keys; !rest.empty();) {
    const auto batch = rest.first(std::min(rest.size(), kFilesAtOnce));
    const auto blobs = from_->ReadMany(batch);
    for (size_t i = 0; i < batch.size(); ++i) {
      if (!blobs[i].ok()) return blobs[i].status();
      const Bytes content = blobs[i].value().bytes;
      if (Status status = to_->Put(batch[i], content); !status.ok()) return status;
      sizes_[batch[i]] = content.size();
      if (IsFinished(batch[i])) finished_.insert(batch[i]);
    }
    rest = rest.subspan(batch.size());
  }
  return Status();
}

Status ProfileMirror::Continue(const std::string& local, const std::string& key) {
  const auto object = from_->Open(key);
  if (!object.ok()) return object.status();
  const uint64_t before = sizes_[local];
  const uint64_t size = object.value()->size();
  const std::string path = to_->Locate(local);
  if (size < before) {
    // Not a continuation, but another file.
    sizes_.erase(local);
    if (Status status = to_->Remove(local); !status.ok()) return status;
    return CopyNew({key});
  }
  if (size > before) {
    const auto more = object.value()->Read(before, size - before);
    if (!more.ok()) return more.status();
    const std::string_view text = AsText(more.value().bytes);
    std::ofstream file(path, std::ios::binary | std::ios::app);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) return Status(Code::kIo, "cannot write " + path);
  }
  if (local != key) {
    // The same file under its last name: readers have seen its first lines already.
    if (std::rename(path.c_str(), to_->Locate(key).c_str()) != 0) {
      return Status(Code::kIo, fmt::format("cannot rename {}", path));
    }
    sizes_.erase(local);
  }
  sizes_[key] = size;
  if (IsFinished(key)) finished_.insert(key);
  return Status();
}

void ProfileMirror::Follow() {
  follower_ = std::jthread([this](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    while (!stop.stop_requested()) {
      if (const Status status = Update(); !status.ok()) LogWarning("{}", status.message());
      std::unique_lock lock(mutex);
      stopped.wait_for(lock, stop, from_->look_again_after(), [] { return false; });
    }
  });
}

}  // namespace warden::watch
