#include "bench/read_pass.h"

// As in warden/stats/cpu, so that both run on the same instruction set.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/read_pass.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warden::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr size_t kLine = 64 / sizeof(uint64_t);

// kStreams parts of the memory side by side: processors read ahead within each.
template <size_t kStreams, size_t kAheadLines>
HWY_INLINE uint64_t Read(const uint64_t* data, size_t count) {
  const hn::ScalableTag<uint64_t> tag;
  const size_t lanes = hn::Lanes(tag);
  const size_t part = count / kStreams / (2 * kLine) * (2 * kLine);
  auto even = hn::Zero(tag), odd = hn::Zero(tag);
  for (size_t i = 0; i < part; i += 2 * kLine) {
    for (size_t stream = 0; stream < kStreams; ++stream) {
      const uint64_t* at = data + stream * part + i;
      if constexpr (kAheadLines != 0) {
        hwy::Prefetch(at + kAheadLines * kLine);
        hwy::Prefetch(at + (kAheadLines + 1) * kLine);
      }
      for (size_t j = 0; j < kLine; j += lanes) {
        even = hn::Or(even, hn::LoadU(tag, at + j));
        odd = hn::Or(odd, hn::LoadU(tag, at + kLine + j));
      }
    }
  }
  uint64_t rest = 0;
  for (size_t i = kStreams * part; i < count; ++i) rest |= data[i];
  return hn::GetLane(hn::MaxOfLanes(tag, hn::Or(even, odd))) | rest;
}

uint64_t ReadInOrder(const uint64_t* data, size_t count) { return Read<1, 0>(data, count); }
uint64_t ReadAhead(const uint64_t* data, size_t count) { return Read<1, 96>(data, count); }
uint64_t ReadStreams(const uint64_t* data, size_t count) { return Read<4, 32>(data, count); }

}  // namespace warden::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warden::bench {

HWY_EXPORT(ReadInOrder);
HWY_EXPORT(ReadAhead);
HWY_EXPORT(ReadStreams);

namespace {

const uint64_t* Words(Bytes bytes) { return reinterpret_cast<const uint64_t*>(bytes.data()); }
size_t WordCount(Bytes bytes) { return bytes.size() / sizeof(uint64_t); }

}  // namespace

uint64_t ReadInOrder(Bytes bytes) {
  return HWY_DYNAMIC_DISPATCH(ReadInOrder)(Words(bytes), WordCount(bytes));
}
uint64_t ReadAhead(Bytes bytes) {
  return HWY_DYNAMIC_DISPATCH(ReadAhead)(Words(bytes), WordCount(bytes));
}
uint64_t ReadStreams(Bytes bytes) {
  return HWY_DYNAMIC_DISPATCH(ReadStreams)(Words(bytes), WordCount(bytes));
}

}  // namespace warden::bench
#endif  // HWY_ONCE
