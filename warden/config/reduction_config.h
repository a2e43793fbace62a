#ifndef WARDEN_CONFIG_REDUCTION_CONFIG_H_
#define WARDEN_CONFIG_REDUCTION_CONFIG_H_

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/reduction.h"
#include "warden/base/status.h"

namespace warden::config {

// What of a tensor a collection saves: its values, statistics, its shape. And the text form of
// lists of reductions, which configurations, the command line and manifests share.

// What is saved of each tensor of a collection. A plain value.
//
//   ReductionConfig config;
//   config.order = ParseReductionList("mean,abs_max").value();
//   config.reductions = ReductionBits(config.order);
//   config.save_raw_tensor = false;
struct ReductionConfig {
  std::bitset<Reduction::kCount> reductions = {};  // By Reduction::index.
  bool save_raw_tensor = true;                     // The values themselves.
  bool save_shape = false;                         // Where no values are saved: those have a shape.
  // The order in which the user listed them, which manifests keep. Says nothing about which are
  // saved: one that is missing here comes after those listed.
  std::vector<Reduction> order = {};

  // Whether the same is saved: order makes no difference.
  bool operator==(const ReductionConfig& other) const {
    return reductions == other.reductions && save_raw_tensor == other.save_raw_tensor &&
           save_shape == other.save_shape;
  }
};

// The comma string of configurations and manifests: operations as "mean", norms as "l2_norm" or
// "l2", each with "abs_" before it for absolute values. An empty text gives no reductions. kInvalid
// names the unknown word and lists what is accepted.
Result<std::bitset<Reduction::kCount>> ParseReductions(std::string_view text);
// The same, in the order of the text, each once.
Result<std::vector<Reduction>> ParseReductionList(std::string_view text);
// What ParseReductions accepts, for messages and documents: "min, max, ...".
std::string AcceptedReductions();

// The set of them, by Reduction::index.
std::bitset<Reduction::kCount> ReductionBits(const std::vector<Reduction>& reductions);
// In the original's order: plain operations, norms, absolute operations, absolute norms. Within
// these four, those in order come first, as they stand there.
std::string FormatReductions(const std::bitset<Reduction::kCount>& reductions,
                             const std::vector<Reduction>& order = {});

// The form of manifests: {"save_raw_tensor": true, "reductions": "", "save_shape": false}.
Json ToJson(const ReductionConfig& config);
// Members that are missing or null are false and empty, save_raw_tensor included. kInvalidType for
// a member of the wrong type, kInvalid for an unknown reduction.
Result<ReductionConfig> ReductionConfigFromJson(const Json& json);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_REDUCTION_CONFIG_H_
