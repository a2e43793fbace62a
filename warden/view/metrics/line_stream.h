#ifndef WARDEN_VIEW_METRICS_LINE_STREAM_H_
#define WARDEN_VIEW_METRICS_LINE_STREAM_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "warden/format/metric_line.h"
#include "warden/timeline/feed/stream.h"

namespace warden::view {

// The files of system metrics of one node, line by line: every metric of them, where
// timeline::MetricStream keeps what rules need.
class LineStream final : public timeline::Stream {
 public:
  struct Takers {
    std::function<void(const format::MetricLine&)> line;
    std::function<void(std::string_view path, int64_t broken, const std::string& first)> broken;
    std::function<void(uint64_t bytes)> read;  // So much of a file.
    std::function<void()> pause;               // Nothing was written for a while.
  };

  LineStream(Takers takers, std::vector<std::string>* problems)
      : Stream(problems), takers_(std::move(takers)) {}

  // Hands over the next piece of a file; false if there is none by now.
  bool Advance();

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
