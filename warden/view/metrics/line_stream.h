#ifndef WARDEN_VIEW_METRICS_LINE_STREAM_H_
#define WARDEN_VIEW_METRICS_LINE_STREAM_H_

// Every line of a metrics file, for the dashboard, which shows all metrics and not only those that
// rules know.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "warden/format/metric_line.h"
#include "warden/timeline/feed/stream.h"

namespace warden::view {

// The files of system metrics of one node, line by line: every metric of them, where
// timeline::MetricStream keeps only what rules need. Used by MetricsReader. For one thread.
//
//   stream.Add(id, path, time_us, finished);
//   while (stream.Advance()) {}
//
// A line of more than 1 MiB is skipped. A moment is over when nothing was written for 0.3 seconds.
class LineStream final : public timeline::Stream {
 public:
  // Where lines and events go; all must be set. Called during Advance().
  struct Takers {
    // Each line; valid during the call.
    std::function<void(const format::MetricLine&)> line;
    // A file with lines that are not valid: how many of a piece, and why the first is not.
    std::function<void(std::string_view path, int64_t broken, const std::string& first)> broken;
    std::function<void(uint64_t bytes)> read;  // Bytes of a file that are done.
    std::function<void()> pause;  // Nothing was written for a while: the moment is over.
  };

  // problems: as for timeline::Stream.
  LineStream(Takers takers, std::vector<std::string>* problems)
      : Stream(problems), takers_(std::move(takers)) {}

  // Hands over the next piece of a file; false if there is none by now.
  bool Advance();

  // Not used: pieces of different nodes are not merged by time.
  int64_t time_us() const override { return 0; }
  void TakeNext(timeline::ProfileBatch* /*batch*/) override { read_ = false; }

 private:
  bool ready() const override { return read_; }
  void Parse(timeline::PaddedText* text, bool last, const std::string& path) override;
  void BeginFile() override {}
  void OnPause(bool finished, double quiet_seconds) override;

  const Takers takers_;
  bool read_ = false;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_LINE_STREAM_H_
