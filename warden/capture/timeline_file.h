#ifndef WARDEN_CAPTURE_TIMELINE_FILE_H_
#define WARDEN_CAPTURE_TIMELINE_FILE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::capture {

// Where timeline files go and when one is closed; may change while they are written.
struct TimelineSettings {
  std::string folder;  // The profiler's: files are below its "framework/".
  // A file is closed when an event ends, or the clock is, more than so many seconds after the last
  // one was closed, or when it has more than so many bytes.
  double close_interval_s = 60;
  uint64_t max_file_bytes = 10485760;
  // After so many failures to open a file in a row, events are dropped and it is tried once a
  // second only.
  int open_fail_threshold = 50;

  bool operator==(const TimelineSettings&) const = default;
};

// Something that happened, in microseconds since 1970.
struct TimelineEvent {
  std::string_view phase = {};  // What it is part of; each has a number in the files, from 1 on.
  std::string_view name = {};
  std::string_view kind = "X";  // "ph" of the trace event format.
  std::string_view scope = {};  // "s" of an instant; empty: none.
  std::string_view args = {};   // Members of a JSON object, without the braces.
  int64_t start_us = 0;
  int64_t duration_us = 0;  // Written for kind "X" only.

  int64_t end_us() const { return start_us + duration_us; }
};

// Timeline files of one process, one after the other, as docs/formats/profile.md has them:
// "framework/<node>_<suffix>.tmp" while written, then "framework/pevents/<UTC hour>/<end us>_...".
// A failure is told once and costs the events that could not be written; it goes on when the disk
// does. For one thread.
class TimelineFile {
 public:
  // Times in the files are counted from base_us.
  TimelineFile(std::string node, std::string suffix, int64_t base_us)
      : node_(std::move(node)), suffix_(std::move(suffix)), base_us_(base_us) {}
  // Closes, without giving the file its name.
  ~TimelineFile();
  TimelineFile(const TimelineFile&) = delete;
  TimelineFile& operator=(const TimelineFile&) = delete;

  // Another folder ends the file that is open, which stays in the old one.
  void Use(const TimelineSettings& settings);
  // Nothing happens once a file is open.
  void Rebase(int64_t base_us);

  // Takes an event; it is in the file after Flush.
  void Append(const TimelineEvent& event);
  void Flush();
  // Ends the file if its time is over.
  void RotateIfDue(int64_t now_us);
  // Ends the file; without finish it keeps its temporary name.
  void Close(bool finish);

  bool is_open() const { return fd_ >= 0; }
  // False while files cannot be opened.
  bool healthy() const { return failures_ < settings_.open_fail_threshold; }
  uint64_t lost() const { return lost_; }  // Events that could not be written.
  // When the open file is due, in microseconds since 1970.
  int64_t due_us() const;

 private:
  bool Open();
  Status TryOpen();
  void Announce(int pid, std::string_view args);
  void Finish(int64_t end_us);
  void SalvageLeftover();
  std::string Path(std::string_view key) const;
  void Tell(const Status& why);
  void Lose();

  const std::string node_;
  const std::string suffix_;
  int64_t base_us_;
  TimelineSettings settings_;
  std::map<std::string, int, std::less<>> pids_;  // By phase, for the life of the process.
  std::set<int> announced_;                       // In this file.

  int fd_ = -1;
  std::string temporary_;  // Path of the open file.
  std::string folder_;     // Where it will get its name.
  std::string buffer_;
  uint64_t written_ = 0;   // Bytes that are whole in the file.
  uint64_t buffered_ = 0;  // Events in buffer_.
  int64_t last_event_us_ = 0;
  int64_t last_close_us_ = 0;
  int64_t next_try_us_ = 0;
  int failures_ = 0;
  uint64_t lost_ = 0;
  bool told_ = false;
};

// The clock of timelines: microseconds since 1970.
int64_t TimelineNowUs();

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_TIMELINE_FILE_H_
