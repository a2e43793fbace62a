#ifndef TESTS_SUPPORT_FOREVER_H_
#define TESTS_SUPPORT_FOREVER_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "warden/base/types.h"

namespace warden::testing {

// What write_forever saves and check_run expects: tensors of int32 whose sizes and values follow
// from who writes (the generation), the step and the place of the tensor in this list.
inline constexpr std::array<std::string_view, 5> kForeverTensors = {
    "layer0.weight", "layer1.weight", "layer2.weight", "layer3.weight", "layer4.weight"};
inline constexpr std::array<size_t, kForeverTensors.size()> kForeverSizes = {3, 100, 5000, 40,
                                                                             30'000};
// An int64 scalar, saved last in each step, says which generation wrote it.
inline constexpr std::string_view kGenerationTensor = "generation.weight";

inline std::vector<int32_t> ForeverValues(int64_t generation, Step step, size_t tensor) {
  size_t size = kForeverSizes[tensor] + static_cast<size_t>((generation * 13 + step * 7) % 29);
  // Now and then one that does not fit into a single piece of what the writer stages.
  if (tensor == 2 && step % 8 == 3) size += 300'000;
  auto state =
      static_cast<uint32_t>(generation * 1'000'003 + step * 101 + static_cast<int64_t>(tensor) + 1);
  std::vector<int32_t> values(size);
  for (int32_t& value : values) {
    state = state * 1'664'525U + 1'013'904'223U;
    value = static_cast<int32_t>(state);
  }
  return values;
}

}  // namespace warden::testing

#endif  // TESTS_SUPPORT_FOREVER_H_
