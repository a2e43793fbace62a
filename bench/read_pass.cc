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

template <size_t kAheadBytes>
HWY_INLINE uint64_t Read(const uint64_t* data, size_t count) {
  const hn::ScalableTag<uint64_t> tag;
  const size_t lanes = hn::Lanes(tag);
  auto a = hn::Zero(tag), b = hn::Zero(tag), c = hn::Zero(tag), d = hn::Zero(tag);
  size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    if constexpr (kAheadBytes != 0) {
      constexpr size_t kLine = 64 / sizeof(uint64_t);
      const uint64_t* ahead = data + i + kAheadBytes / sizeof(uint64_t);
      for (size_t line = 0; line < 4 * lanes; line += kLine) hwy::Prefetch(ahead + line);
    }
    a = hn::Or(a, hn::LoadU(tag, data + i));
    b = hn::Or(b, hn::LoadU(tag, data + i + lanes));
    c = hn::Or(c, hn::LoadU(tag, data + i + 2 * lanes));
    d = hn::Or(d, hn::LoadU(tag, data + i + 3 * lanes));
  }
  uint64_t rest = 0;
  for (; i < count; ++i) rest |= data[i];
  return hn::GetLane(hn::MaxOfLanes(tag, hn::Or(hn::Or(a, b), hn::Or(c, d)))) | rest;
}

uint64_t ReadPlain(const uint64_t* data, size_t count) { return Read<0>(data, count); }
uint64_t ReadAhead(const uint64_t* data, size_t count) { return Read<6144>(data, count); }

}  // namespace warden::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warden::bench {

HWY_EXPORT(ReadPlain);
HWY_EXPORT(ReadAhead);

uint64_t ReadPlain(Bytes bytes) {
  const auto* data = reinterpret_cast<const uint64_t*>(bytes.data());
  return HWY_DYNAMIC_DISPATCH(ReadPlain)(data, bytes.size() / sizeof(uint64_t));
}
uint64_t ReadAhead(Bytes bytes) {
  const auto* data = reinterpret_cast<const uint64_t*>(bytes.data());
  return HWY_DYNAMIC_DISPATCH(ReadAhead)(data, bytes.size() / sizeof(uint64_t));
}

}  // namespace warden::bench
#endif  // HWY_ONCE
