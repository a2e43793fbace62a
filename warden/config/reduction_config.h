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

// What is saved of each tensor of a collection.
struct ReductionConfig {
  std::bitset<Reduction::kCount> reductions = {};  // By Reduction::index.
  bool save_raw_tensor = true;
  bool save_shape = false;
  // The order in which the user listed them, which manifests keep. Says nothing about which are
  // saved: one that is missing here comes after those listed.
  std::vector<Reduction> order = {};

  bool operator==(const ReductionConfig& other) const {
    return reductions == other.reductions && save_raw_tensor == other.save_raw_tensor &&
           save_shape == other.save_shape;
  }
};

// The comma string of configurations and manifests: operations as "mean", norms as "l2_norm", each
// with "abs_" before it for absolute values. kInvalid names the word that is none of them and lists
// what is accepted.
Result<std::bitset<Reduction::kCount>> ParseReductions(std::string_view text);
// The same, in the order of the text, each once.
Result<std::vector<Reduction>> ParseReductionList(std::string_view text);
// What ParseReductions accepts, for messages and documents: "min, max, ...".
std::string AcceptedReductions();

std::bitset<Reduction::kCount> ReductionBits(const std::vector<Reduction>& reductions);
// In the original's order: plain operations, norms, absolute operations, absolute norms. Within
// these four, those in order come first, as they stand there.
std::string FormatReductions(const std::bitset<Reduction::kCount>& reductions,
                             const std::vector<Reduction>& order = {});

// The form of manifests: {"save_raw_tensor": true, "reductions": "", "save_shape": false}.
Json ToJson(const ReductionConfig& config);
Result<ReductionConfig> ReductionConfigFromJson(const Json& json);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_REDUCTION_CONFIG_H_
