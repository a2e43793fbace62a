#ifndef WARDEN_CONFIG_REDUCTION_CONFIG_H_
#define WARDEN_CONFIG_REDUCTION_CONFIG_H_

#include <bitset>
#include <string>
#include <string_view>

#include "warden/base/json.h"
#include "warden/base/reduction.h"
#include "warden/base/status.h"

namespace warden::config {

// What is saved of each tensor of a collection.
struct ReductionConfig {
  std::bitset<Reduction::kCount> reductions;  // By Reduction::index.
  bool save_raw_tensor = true;
  bool save_shape = false;

  bool operator==(const ReductionConfig&) const = default;
};

// The comma string of configurations and manifests: operations as "mean", norms as "l2_norm", each
// with "abs_" before it for absolute values. kInvalid names the word that is none of them and lists
// what is accepted.
Result<std::bitset<Reduction::kCount>> ParseReductions(std::string_view text);
// In the original's order: plain operations, norms, absolute operations, absolute norms.
std::string FormatReductions(const std::bitset<Reduction::kCount>& reductions);

// The form of manifests: {"save_raw_tensor": true, "reductions": "", "save_shape": false}.
Json ToJson(const ReductionConfig& config);
Result<ReductionConfig> ReductionConfigFromJson(const Json& json);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_REDUCTION_CONFIG_H_
