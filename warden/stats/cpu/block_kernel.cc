#include "warden/stats/cpu/block_kernel.h"

// Structs of the kernel hold vectors, which those of unknown length cannot be part of.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "warden/stats/cpu/block_kernel.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

#include "warden/stats/cpu/block_kernel-inl.h"

#if HWY_ONCE
namespace warden::stats::cpu {

HWY_EXPORT(SweepFloat);
HWY_EXPORT(SweepDouble);
HWY_EXPORT(DistancesFloat);
HWY_EXPORT(DistancesDouble);
HWY_EXPORT(MultiplyFloat);
HWY_EXPORT(MultiplyDouble);
HWY_EXPORT(ZerosFloat);
HWY_EXPORT(ZerosDouble);
HWY_EXPORT(WidenFloat16s);
HWY_EXPORT(WidenBFloat16s);

template <>
BlockStats Sweep<float>(const std::byte* data, size_t count) {
  return HWY_DYNAMIC_DISPATCH(SweepFloat)(data, count);
}
template <>
BlockStats Sweep<double>(const std::byte* data, size_t count) {
  return HWY_DYNAMIC_DISPATCH(SweepDouble)(data, count);
}

template <>
Distances SumDistances(const std::byte* data, size_t count, float shift, bool abs) {
  return HWY_DYNAMIC_DISPATCH(DistancesFloat)(data, count, shift, abs);
}
template <>
Distances SumDistances(const std::byte* data, size_t count, double shift, bool abs) {
  return HWY_DYNAMIC_DISPATCH(DistancesDouble)(data, count, shift, abs);
}

template <>
Product Multiply<float>(const std::byte* data, size_t count) {
  return HWY_DYNAMIC_DISPATCH(MultiplyFloat)(data, count);
}
template <>
Product Multiply<double>(const std::byte* data, size_t count) {
  return HWY_DYNAMIC_DISPATCH(MultiplyDouble)(data, count);
}

template <>
uint64_t CountZeros<float>(const std::byte* data, size_t count) {
  return HWY_DYNAMIC_DISPATCH(ZerosFloat)(data, count);
}
template <>
uint64_t CountZeros<double>(const std::byte* data, size_t count) {
  return HWY_DYNAMIC_DISPATCH(ZerosDouble)(data, count);
}

void WidenFloat16(const std::byte* data, size_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(WidenFloat16s)(data, count, out);
}
void WidenBFloat16(const std::byte* data, size_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(WidenBFloat16s)(data, count, out);
}

}  // namespace warden::stats::cpu
#endif  // HWY_ONCE
