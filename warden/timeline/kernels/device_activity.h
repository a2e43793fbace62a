#ifndef WARDEN_TIMELINE_KERNELS_DEVICE_ACTIVITY_H_
#define WARDEN_TIMELINE_KERNELS_DEVICE_ACTIVITY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warden/format/kernel_event.h"

namespace warden::timeline {

// A window whose end is later was not ended: it lasts to the last event.
inline constexpr int64_t kOpenWindowNs = INT64_MAX / 2;
// The end of a window, if the last event ended then.
inline int64_t EndOfWindow(const format::KernelWindow& window, int64_t last_ns) {
  return window.end_ns > kOpenWindowNs ? std::max(last_ns, window.start_ns) : window.end_ns;
}

// When one device of one process worked and when not, from its work in the order of its starts.
// For one thread; bounded memory.
class DeviceActivity {
 public:
  // What worked: a number of the caller's, such as that of a kernel's name.
  using What = uint32_t;
  static constexpr What kNothing = UINT32_MAX;

  struct Gap {
    int64_t start_ns = 0;
    int64_t duration_ns = 0;
    What before = kNothing;
    What after = kNothing;
    bool host_late = false;
  };

  // windows: by start, and as long as this. most_gaps: how many of the longest are kept.
  DeviceActivity(std::span<const format::KernelWindow> windows, size_t most_gaps)
      : windows_(windows), most_gaps_(most_gaps) {}

  // asked_ns: when a thread asked for it; 0 if that is not known. REQUIRES: starts do not decrease.
  void Add(int64_t start_ns, int64_t end_ns, int64_t asked_ns, What what);
  // After the last one. last_ns: the end of a window that was not ended.
  void Finish(int64_t last_ns);

  int64_t window_ns() const { return window_ns_; }
  int64_t busy_ns() const { return busy_ns_; }
  int64_t host_late_ns() const { return host_late_ns_; }
  uint64_t gap_count() const { return gap_count_; }
  // The longest first; after Finish.
  const std::vector<Gap>& gaps() const { return gaps_; }

 private:
  // Work up to this moment was in one window; the next begins.
  void EndWindow(int64_t end_ns);
  void AddGap(int64_t end_ns, int64_t asked_ns, What after);

  const std::span<const format::KernelWindow> windows_;
  const size_t most_gaps_;
  size_t window_ = 0;       // The one that is looked at.
  bool in_window_ = false;  // Whether covered_ns_ is of it.
  int64_t covered_ns_ = 0;  // In the window there is nothing left before this.
  What last_ = kNothing;    // What covered it.
  int64_t window_ns_ = 0;
  int64_t busy_ns_ = 0;
  int64_t host_late_ns_ = 0;
  uint64_t gap_count_ = 0;
  std::vector<Gap> gaps_;  // A heap, the shortest on top.
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_KERNELS_DEVICE_ACTIVITY_H_
