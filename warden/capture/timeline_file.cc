#include "warden/capture/timeline_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/capture/timeline_leftovers.h"
#include "warden/format/profiler_layout.h"

namespace warden::capture {
namespace {

constexpr int64_t kRetryUs = 1'000'000;
// Events that are further ahead of the clock have a wrong time, which ends no file.
constexpr int64_t kFarAheadUs = int64_t{3600} * 1'000'000;
constexpr std::string_view kOpening = "[\n";

Status IoError(std::string_view what, const std::string& path) {
  return Status(Code::kIo, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

}  // namespace

Status MakeFolderOf(const std::string& path) {
  std::error_code error;
  const auto folder = std::filesystem::path(path).parent_path();
  std::filesystem::create_directories(folder, error);
  if (!error) return Status();
  return Status(Code::kIo, fmt::format("cannot create {}: {}", folder.string(), error.message()));
}

Status NameTimeline(const std::string& from, const std::string& folder, int64_t end_us,
                    std::string_view node, std::string_view suffix) {
  // Two files may end in the same microsecond.
  for (;; ++end_us) {
    const std::string to = folder + "/" + format::TimelineFileKey(end_us, node, suffix);
    if (Status made = MakeFolderOf(to); !made.ok()) return made;
    if (link(from.c_str(), to.c_str()) == 0) {
      (void)unlink(from.c_str());
      return Status();
    }
    if (errno == EEXIST) continue;
    // File systems without hard links.
    if (rename(from.c_str(), to.c_str()) == 0) return Status();
    return IoError("rename", from);
  }
}

int64_t TimelineNowUs() {
  using std::chrono::microseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<microseconds>(now).count();
}

TimelineFile::~TimelineFile() { Close(/*finish=*/false); }

void TimelineFile::Use(const TimelineSettings& settings) {
  if (fd_ >= 0 && settings.folder != folder_) Close(/*finish=*/true);
  settings_ = settings;
}

void TimelineFile::Rebase(int64_t base_us) {
  if (fd_ < 0) base_us_ = base_us;
}

int64_t TimelineFile::due_us() const {
  // Longer than anybody waits, and no overflow; what is no number is no limit.
  const double interval = settings_.close_interval_s;
  const double seconds = std::isnan(interval) ? 1e9 : std::clamp(interval + 0.5, 0.0, 1e9);
  return last_close_us_ + static_cast<int64_t>(seconds * 1e6);
}

void TimelineFile::Append(const TimelineEvent& event) {
  if (event.end_us() < TimelineNowUs() + kFarAheadUs) RotateIfDue(event.end_us());
  if (fd_ < 0 && !Open()) {
    ++lost_;
    return;
  }
  last_event_us_ = std::max(last_event_us_, event.end_us());
  const auto known = pids_.find(event.phase);
  const int pid = known != pids_.end() ? known->second : static_cast<int>(pids_.size()) + 1;
  if (known == pids_.end()) pids_.emplace(event.phase, pid);
  if (announced_.insert(pid).second) {
    std::string args = "\"name\": ";
    AppendJsonString(event.phase, &args);
    Announce(pid, args);
  }
  auto out = std::back_inserter(buffer_);
  buffer_ += "{\"name\": ";
  AppendJsonString(event.name, &buffer_);
  fmt::format_to(out, ", \"pid\": {}, \"ph\": ", pid);
  AppendJsonString(event.kind, &buffer_);
  fmt::format_to(out, ", \"ts\": {}", event.start_us - base_us_);
  if (event.kind == "X") fmt::format_to(out, ", \"dur\": {}", event.duration_us);
  if (!event.scope.empty()) {
    buffer_ += ", \"s\": ";
    AppendJsonString(event.scope, &buffer_);
  }
  if (!event.args.empty()) fmt::format_to(out, ", \"args\": {{{}}}", event.args);
  buffer_ += "}";
  buffer_ += kTimelineSeparator;
  ++buffered_;
  if (written_ + buffer_.size() > settings_.max_file_bytes) {
    Finish(std::max(last_event_us_, TimelineNowUs()));
  }
}

void TimelineFile::Announce(int pid, std::string_view args) {
  fmt::format_to(std::back_inserter(buffer_),
                 "{{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": {0}, \"args\": {{{1}}}}},\n"
                 "{{\"name\": \"process_sort_index\", \"ph\": \"M\", \"pid\": {0}, "
                 "\"args\": {{\"sort_index\": {0}}}}},\n",
                 pid, args);
}

void TimelineFile::Flush() {
  if (fd_ < 0 || buffer_.empty()) return;
  struct stat info{};
  if (fstat(fd_, &info) == 0 && info.st_nlink == 0) {
    // Somebody emptied the folder: what comes next begins a file of its own.
    close(std::exchange(fd_, -1));
    return Lose();
  }
  if (!WriteTextAt(fd_, buffer_, written_)) {
    Tell(IoError("write", temporary_));
    (void)!ftruncate(fd_, static_cast<off_t>(written_));  // Readers want whole lines.
    if (written_ == 0) close(std::exchange(fd_, -1));     // Not even the beginning is there.
    announced_.clear();
    return Lose();
  }
  written_ += buffer_.size();
  buffer_.clear();
  buffered_ = 0;
  if (std::exchange(told_, false)) LogInfo("writing {} again", temporary_);
}

void TimelineFile::Lose() {
  lost_ += std::exchange(buffered_, 0);
  buffer_.clear();
}

void TimelineFile::RotateIfDue(int64_t now_us) {
  if (fd_ >= 0 && now_us > due_us()) Close(/*finish=*/true);
}

bool TimelineFile::Open() {
  const int64_t now_us = TimelineNowUs();
  if (!healthy() && now_us < next_try_us_) return false;
  if (const Status opened = TryOpen(); !opened.ok()) {
    ++failures_;
    next_try_us_ = now_us + kRetryUs;
    Tell(opened);
    return false;
  }
  failures_ = 0;
  if (last_close_us_ == 0) last_close_us_ = now_us;
  announced_.clear();
  buffer_ = kOpening;
  buffered_ = 0;
  written_ = 0;
  last_event_us_ = 0;
  Announce(0, fmt::format("\"start_time_since_epoch_in_micros\": {}", base_us_));
  return true;
}

Status TimelineFile::TryOpen() {
  folder_ = settings_.folder;
  temporary_ = fmt::format("{}/{}{}_{}{}", folder_, format::kFrameworkPrefix, node_, suffix_,
                           format::kUnfinishedTimeline);
  if (Status made = MakeFolderOf(temporary_); !made.ok()) return made;
  // Of a process of the same name that was killed.
  FinishLeftover(temporary_, node_, suffix_);
  fd_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd_ < 0) return IoError("open", temporary_);
  LockTimeline(fd_);
  return Status();
}

void TimelineFile::Close(bool finish) {
  if (fd_ < 0) return;
  if (finish) return Finish(last_event_us_ != 0 ? last_event_us_ : TimelineNowUs());
  Finish(0);
}

// Ends the file; with an end that is not 0 it gets its name.
void TimelineFile::Finish(int64_t end_us) {
  Flush();
  if (fd_ < 0) return;
  last_close_us_ = TimelineNowUs();
  // The ending takes the place of the last separator.
  const bool ended = WriteTextAt(fd_, kTimelineEnding, written_ - kTimelineSeparator.size());
  if (!ended) Tell(IoError("write", temporary_));
  close(std::exchange(fd_, -1));
  if (!ended || end_us == 0) return;
  if (Status named = NameTimeline(temporary_, folder_, end_us, node_, suffix_); !named.ok())
    Tell(named);
}

void TimelineFile::Tell(const Status& why) {
  if (std::exchange(told_, true)) return;
  LogError(
      "timeline events dropped: {}. Training continues. Check that the folder is writable and has "
      "free space.",
      why.message());
}

}  // namespace warden::capture
