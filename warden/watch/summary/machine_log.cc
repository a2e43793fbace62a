#include "warden/watch/summary/machine_log.h"

#include <chrono>

#include "warden/format/metric_line.h"
#include "warden/timeline/file_text.h"
#include "warden/timeline/profile_files.h"

namespace warden::watch {
namespace {

constexpr size_t kLogPiece = size_t{1} << 20;
constexpr size_t kMostLogBytes = size_t{128} << 20;
constexpr size_t kMostKnown = 1000;  // A few lines each; then they are read again.
constexpr double kLatestTime = 1e11;
// How long after a time its samples may still be written.
constexpr double kWrittenAfterSeconds = 5;

double NowSeconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Passes the lines of a file to the judge; returns its bytes. What cannot be read is left out.
size_t ReadLines(const timeline::MetricFile& file, size_t most, MachineJudge* judge) {
  timeline::PaddedText text;
  size_t offset = 0;
  while (offset < most) {
    const size_t before = text.size();
    if (!timeline::ReadFileRange(file, offset, kLogPiece, &text).ok()) break;
    const size_t added = text.size() - before;
    offset += added;
    const auto read = format::ReadMetricLines(
        text.text(), [judge](const format::MetricLine& line) { judge->Add(line); });
    text.Drop(read.bytes);
    if (added == 0) break;
  }
  return offset;
}

}  // namespace

std::vector<MachineFact> MachineLog::Around(double time_s) {
  if (folder_.empty() || !(time_s > 0 && time_s < kLatestTime)) return {};
  const std::lock_guard lock(mutex_);
  const auto key = static_cast<int64_t>(time_s * 1000);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const double now = NowSeconds();
  std::vector<MachineFact> facts = Read(time_s);
  const double end = static_cast<double>(MachineJudge(time_s).range().end_us) / 1e6;
  if (now > end + kWrittenAfterSeconds) {
    if (known_.size() == kMostKnown) known_.clear();
    known_.emplace(key, facts);
  }
  return facts;
}

std::vector<MachineFact> MachineLog::Read(double time_s) const {
  MachineJudge judge(time_s);
  size_t left = kMostLogBytes;
  for (const timeline::MetricFile& file : timeline::MetricFilesAround(folder_, judge.range())) {
    left -= std::min(left, ReadLines(file, left, &judge));
    if (left == 0) break;
  }
  return judge.Facts();
}

}  // namespace warden::watch
