#include "warden/timeline/import/torch_phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warden::timeline {
namespace {

constexpr std::array<std::string_view, 2> kOperators = {"cpu_op", "Operator"};
// With small and with capital letters: older versions spelt them so.
constexpr std::array<std::string_view, 6> kOnDevice = {"kernel", "gpu_memcpy", "gpu_memset",
                                                       "Kernel", "Memcpy",     "Memset"};
constexpr std::array<std::string_view, 2> kAnnotations = {"user_annotation", "User Scope"};

template <size_t kCount>
bool Has(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::string TorchPhase(std::string_view category, std::optional<int64_t> device) {
  if (Has(kOperators, category)) return "cpu_functions";
  if (Has(kOnDevice, category)) return fmt::format("gpu_functions-dev:{}", device.value_or(0));
  if (Has(kAnnotations, category)) return "Annotation";
  return "";
}

}  // namespace warden::timeline
