#include "warden/format/reduction_tensor.h"

#include <fmt/format.h>

#include <algorithm>

namespace warden::format {
namespace {

constexpr std::string_view kPrefix = "smdebug/reductions/";
constexpr std::string_view kDigits = "0123456789";

// Without every colon that digits follow, and those digits: "w:0/x:12" becomes "w/x".
std::string StripColons(std::string_view name) {
  std::string out;
  for (size_t at = 0; at < name.size();) {
    const size_t end = std::min(name.find_first_not_of(kDigits, at + 1), name.size());
    if (name[at] == ':' && end > at + 1) {
      at = end;
    } else {
      out += name[at++];
    }
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
