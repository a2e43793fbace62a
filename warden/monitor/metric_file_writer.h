#ifndef WARDEN_MONITOR_METRIC_FILE_WRITER_H_
#define WARDEN_MONITOR_METRIC_FILE_WRITER_H_

#include <cstdint>
#include <string>

#include "warden/base/status.h"
#include "warden/monitor/part_file.h"
#include "warden/monitor/tick.h"

namespace warden::monitor {

// Writes ticks to a profiler's folder: one file for each minute, which bears an unfinished name
// until the minute is over. A reader who follows that one sees a tick at most 100 ms after it
// happened. What cannot be written is told once and dropped; it goes on when it can. For one
// thread.
class MetricFileWriter {
 public:
  // Finishes files that an earlier writer of this node has left behind, and takes back its word
  // that the job has ended.
  MetricFileWriter(std::string folder, std::string node);
  // Finishes the file, without saying that the job has ended.
  ~MetricFileWriter() { FinishFile(); }
  MetricFileWriter(const MetricFileWriter&) = delete;
  MetricFileWriter& operator=(const MetricFileWriter&) = delete;

  const std::string& folder() const { return folder_; }

  void Write(const Tick& tick, const Slots& slots);
  // Hands on what is held back, for when no tick will come soon.
  void Flush();
  // Finishes the file of this minute; the next tick begins another or goes on with it.
  void FinishFile();
  // Finishes all and marks the end of the job.
  Status Close();

 private:
  void FinishLeftovers();
  Status Flushed();
  Status OpenFile();
  void Tell(const Status& status);

  const std::string folder_;  // With '/' at its end.
  const std::string node_;
  int64_t minute_ = -1;
  double last_write_s_ = 0;  // Or last attempt.
  std::string unwritten_;
  PartFile file_;
  bool failing_ = false;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_METRIC_FILE_WRITER_H_
