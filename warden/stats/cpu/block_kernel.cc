#include "warden/stats/cpu/block_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "warden/stats/cpu/block_kernel.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

#include "warden/stats/cpu/block_kernel-inl.h"

#if HWY_ONCE
namespace warden::stats::cpu {

HWY_EXPORT(ComputeFloats);
HWY_EXPORT(ComputeDoubles);
HWY_EXPORT(WidenFloat16s);
HWY_EXPORT(WidenBFloat16s);

BlockStats ComputeBlock(const float* data, size_t count) {
  return HWY_DYNAMIC_DISPATCH(ComputeFloats)(data, count);
}
BlockStats ComputeBlock(const double* data, size_t count) {
  return HWY_DYNAMIC_DISPATCH(ComputeDoubles)(data, count);
}

void WidenFloat16(const std::byte* data, size_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(WidenFloat16s)(data, count, out);
}
void WidenBFloat16(const std::byte* data, size_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(WidenBFloat16s)(data, count, out);
}

}  // namespace warden::stats::cpu
#endif  // HWY_ONCE
