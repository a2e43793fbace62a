#include "warden/timeline/kernels/device_activity.h"

#include <algorithm>

namespace warden::timeline {
namespace {

bool IsLonger(const DeviceActivity::Gap& a, const DeviceActivity::Gap& b) {
  return a.duration_ns > b.duration_ns;
}

}  // namespace

void DeviceActivity::AddGap(int64_t end_ns, int64_t asked_ns, What after) {
  if (end_ns <= covered_ns_) return;
  Gap gap{covered_ns_, end_ns - covered_ns_, last_, after};
  gap.host_late = asked_ns > covered_ns_;
  if (gap.host_late) host_late_ns_ += std::min(asked_ns, end_ns) - covered_ns_;
  ++gap_count_;
  if (gaps_.size() == most_gaps_ && !gaps_.empty()) {
    if (!IsLonger(gap, gaps_.front())) return;
    std::pop_heap(gaps_.begin(), gaps_.end(), IsLonger);
    gaps_.pop_back();
  }
  gaps_.push_back(gap);
  std::push_heap(gaps_.begin(), gaps_.end(), IsLonger);
}

void DeviceActivity::EndWindow(int64_t end_ns) {
  const int64_t start_ns = windows_[window_].start_ns;
  if (!in_window_) covered_ns_ = start_ns;
  AddGap(end_ns, 0, kNothing);
  window_ns_ += std::max<int64_t>(end_ns - start_ns, 0);
  ++window_;
  in_window_ = false;
  last_ = kNothing;
}

void DeviceActivity::Add(int64_t start_ns, int64_t end_ns, int64_t asked_ns, What what) {
  while (window_ < windows_.size() && start_ns >= windows_[window_].end_ns) {
    EndWindow(windows_[window_].end_ns);
  }
  if (window_ == windows_.size()) return;
  const format::KernelWindow& window = windows_[window_];
  end_ns = std::min(end_ns, window.end_ns);
  if (end_ns < window.start_ns) return;
  if (!in_window_) {
    in_window_ = true;
    covered_ns_ = window.start_ns;
  }
  if (start_ns > covered_ns_) AddGap(start_ns, asked_ns, what);
  const int64_t from = std::max(start_ns, covered_ns_);
  if (end_ns <= from) return;
  busy_ns_ += end_ns - from;
  covered_ns_ = end_ns;
  last_ = what;
}

void DeviceActivity::Finish(int64_t last_ns) {
  while (window_ < windows_.size()) {
    EndWindow(EndOfWindow(windows_[window_], last_ns));
  }
  std::sort_heap(gaps_.begin(), gaps_.end(), IsLonger);
}

}  // namespace warden::timeline
