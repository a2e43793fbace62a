#ifndef WARDEN_MONITOR_METRIC_FILE_WRITER_H_
#define WARDEN_MONITOR_METRIC_FILE_WRITER_H_

#include <cstdint>
#include <string>

#include "warden/base/status.h"
#include "warden/monitor/tick.h"
#include "warden/monitor/unfinished_file.h"

namespace warden::monitor {

// Writes ticks to a profiler's folder: one file for each minute, which has an unfinished name until
// the minute is over. A reader who follows that one sees a tick at most 100 ms after it happened.
// Owned by Monitor. For one thread.
//
// What cannot be written is dropped; the first failure is logged, attempts are repeated every
// second, and it is logged when they succeed again. The training is never disturbed by a full disk.
class MetricFileWriter {
 public:
  // folder: the profiler's, with or without '/' at its end; a local path. node: as IsNodeName.
  // Finishes files that an earlier writer of this node has left behind, and removes its mark that
  // the job has ended. Errors are logged.
  MetricFileWriter(std::string folder, std::string node);
  // Finishes the file, without marking the end of the job.
  ~MetricFileWriter() { FinishFile(); }
  MetricFileWriter(const MetricFileWriter&) = delete;
  MetricFileWriter& operator=(const MetricFileWriter&) = delete;

  // With '/' at its end.
  const std::string& folder() const { return folder_; }

  // Adds a tick; it may be held back for 50 ms, so that those of a fast monitor are written
  // together. Ignored if it has no values. slots: those by which the tick was made. Ticks come in
  // the order of time but for a clock that is set back.
  void Write(const Tick& tick, const Slots& slots);
  // Writes what is held back, for when no tick will come soon.
  void Flush();
  // Gives the file of this minute its final name; the next tick begins another, or continues it
  // within the same minute.
  void FinishFile();
  // Finishes all and marks the end of the job. Returns the error of storage::Store if the mark
  // cannot be written; that files could not be finished is only logged.
  Status Close();

 private:
  // Of a monitor of this node that was killed: gives its files their final names.
  void FinishLeftovers();
  // Writes what is held back; opens the file again if its folder was removed and created again.
  // What cannot be written is dropped.
  Status Flushed();
  // Of minute_; continues a file of the same minute.
  Status OpenFile();
  // Logs the first failure, and when writing works again.
  void Tell(const Status& status);

  const std::string folder_;  // With '/' at its end.
  const std::string node_;
  // Of the file that is open, in seconds since 1970.
  int64_t minute_ = -1;
  double last_write_s_ = 0;  // Or last attempt.
  std::string unwritten_;
  UnfinishedFile file_;
  bool failing_ = false;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_METRIC_FILE_WRITER_H_
