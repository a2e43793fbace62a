#ifndef WARDEN_TIMELINE_KERNELS_DURATION_HISTOGRAM_H_
#define WARDEN_TIMELINE_KERNELS_DURATION_HISTOGRAM_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace warden::timeline {

// Quantiles of millions of durations in fixed memory, exact to 6 %. Nanoseconds. For one thread.
class DurationHistogram {
 public:
  // A negative duration counts as 0.
  void Add(int64_t ns) {
    ns = std::max<int64_t>(ns, 0);
    ++counts_[BucketOf(static_cast<uint64_t>(ns))];
    ++count_;
    total_ns_ += ns;
    max_ns_ = std::max(max_ns_, ns);
  }

  uint64_t count() const { return count_; }
  int64_t total_ns() const { return total_ns_; }
  int64_t max_ns() const { return max_ns_; }
  double mean_ns() const {
    return count_ == 0 ? 0 : static_cast<double>(total_ns_) / static_cast<double>(count_);
  }
  // 0 without durations. REQUIRES: 0 <= share <= 1.
  double Quantile(double share) const {
    if (count_ == 0) return 0;
    const auto wanted = static_cast<uint64_t>(share * static_cast<double>(count_ - 1));
    uint64_t seen = 0;
    for (size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen > wanted) return std::min(MiddleOf(i), static_cast<double>(max_ns_));
    }
    return static_cast<double>(max_ns_);
  }

 private:
  // Eight buckets between two powers of two.
  static constexpr int kBits = 3;
  static constexpr uint64_t kParts = uint64_t{1} << kBits;

  static size_t BucketOf(uint64_t ns) {
    if (ns < kParts) return ns;
    const int shift = std::bit_width(ns) - 1 - kBits;
    return static_cast<size_t>(static_cast<uint64_t>(shift + 1) * kParts + (ns >> shift) - kParts);
  }
  static double MiddleOf(size_t bucket) {
    if (bucket < kParts) return static_cast<double>(bucket);
    const auto shift = static_cast<int>(bucket / kParts) - 1;
    const uint64_t first = (kParts + bucket % kParts) << shift;
    return static_cast<double>(first) + static_cast<double>(uint64_t{1} << shift) / 2;
  }

  std::array<uint64_t, 64 * kParts> counts_{};
  uint64_t count_ = 0;
  int64_t total_ns_ = 0;
  int64_t max_ns_ = 0;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_KERNELS_DURATION_HISTOGRAM_H_
