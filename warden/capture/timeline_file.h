#ifndef WARDEN_CAPTURE_TIMELINE_FILE_H_
#define WARDEN_CAPTURE_TIMELINE_FILE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::capture {

// Files of the profiler's timeline, in the trace event format that Chrome and Perfetto show.
// TimelineWriter brings events here on its own thread; rules, reports and the dashboard read the
// files, also unfinished ones.

// Where timeline files go and when one is closed; may change while they are written.
struct TimelineSettings {
  std::string folder;  // The profiler's: files are below its "framework/". Made if missing.
  // A file is closed when an event ends, or the clock is, more than so many seconds (and half a
  // second of grace) after the last one was closed, or when it has more than so many bytes.
  double close_interval_s = 60;
  uint64_t max_file_bytes = 10485760;
  // After so many failures to open a file in a row, events are dropped and it is tried once a
  // second only.
  int open_fail_threshold = 50;

  bool operator==(const TimelineSettings&) const = default;
};

// Something that happened, in microseconds since 1970. Views: TimelineFile copies what it needs
// before it returns.
struct TimelineEvent {
  std::string_view phase = {};  // What it is part of; each has a number in the files, from 1 on.
  std::string_view name = {};
  std::string_view kind = "X";  // "ph" of the trace event format.
  std::string_view scope = {};  // "s" of an instant; empty: none.
  std::string_view args = {};   // Members of a JSON object, without the braces; not checked.
  int64_t start_us = 0;
  int64_t duration_us = 0;  // Written for kind "X" only.

  int64_t end_us() const { return start_us + duration_us; }
};

// Timeline files of one process, one after the other, as docs/formats/profile.md has them:
// "framework/<node>_<suffix>.tmp" while written, then "framework/pevents/<UTC hour>/<end us>_...".
// A failure is logged once and costs the events that could not be written; writing continues when
// the disk does, which is logged, too. What a killed process of the same name left is finished and
// renamed. For one thread.
//
//   TimelineFile file("88-algo-1", "pythontimeline.json", TimelineNowUs());
//   file.Use(settings);
//   file.Append({.phase = "Forward", .name = "Net", .start_us = start, .duration_us = 120});
//   file.Close(/*finish=*/true);
class TimelineFile {
 public:
  // node is "<rank or pid>-<host>" without '_'; suffix is what the names end in. Times in the files
  // are counted from base_us, in microseconds since 1970.
  TimelineFile(std::string node, std::string suffix, int64_t base_us)
      : node_(std::move(node)), suffix_(std::move(suffix)), base_us_(base_us) {}
  // Closes, without giving the file its name.
  ~TimelineFile();
  TimelineFile(const TimelineFile&) = delete;
  TimelineFile& operator=(const TimelineFile&) = delete;

  // Call it before the first Append. Another folder ends the file that is open, which stays in the
  // old one; other settings count at once.
  void Use(const TimelineSettings& settings);
  // Sets base_us of the files to come; does nothing while a file is open.
  void Rebase(int64_t base_us);

  // Takes an event; it is in the file after Flush. Opens a file if none is open, and ends the one
  // that is due. Events that cannot be taken count as lost.
  void Append(const TimelineEvent& event);
  // Writes what was taken, so that readers see whole lines of it.
  void Flush();
  // Ends the file if its time is over at now_us.
  void RotateIfDue(int64_t now_us);
  // Flushes and ends the file; without finish it keeps its temporary name. A later Append begins
  // another one.
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

// Makes the folder in which a file is to be, with those above it.
Status MakeFolderOf(const std::string& path);
// Gives a file that is complete the name of a closed timeline (format::TimelineFileKey) below the
// profiler's folder, or one that is later by some microseconds, if another file has it.
Status NameTimeline(const std::string& from, const std::string& folder, int64_t end_us,
                    std::string_view node, std::string_view suffix);

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_TIMELINE_FILE_H_
