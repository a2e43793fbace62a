#include "warden/format/reduction_tensor.h"

#include <fmt/format.h>

#include <algorithm>

namespace warden::format {
namespace {

constexpr std::string_view kPrefix = "smdebug/reductions/";
// How long the colon and digits are that the text starts with; 0 if it starts with anything else.
size_t ColonDigits(std::string_view text) {
  if (!text.starts_with(':')) return 0;
  const size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  return end > 1 ? end : 0;
}

// Without every colon that digits follow, and those digits: "w:0/x:12" becomes "w/x".
std::string StripColons(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const size_t skip = ColonDigits(name);
    if (skip == 0) out += name.front();
    name.remove_prefix(std::max<size_t>(skip, 1));
  }
  return out;
}

}  // namespace

std::string ReductionTensorName(Reduction reduction, std::string_view tensor, bool strip_colons) {
  return fmt::format("{}{}/{}", kPrefix, ReductionName(reduction),
                     strip_colons ? StripColons(tensor) : std::string(tensor));
}

std::optional<ReductionTensor> ParseReductionTensorName(std::string_view name) {
  const size_t prefix = name.find(kPrefix);
  if (prefix == std::string_view::npos) return std::nullopt;
  name.remove_prefix(prefix + kPrefix.size());
  const size_t slash = name.find('/');
  if (slash == std::string_view::npos || slash + 1 == name.size()) return std::nullopt;
  const std::optional<Reduction> reduction = ParseReductionName(name.substr(0, slash));
  if (!reduction) return std::nullopt;
  return ReductionTensor{*reduction, name.substr(slash + 1)};
}

}  // namespace warden::format
