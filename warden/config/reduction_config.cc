#include "warden/config/reduction_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/config/json_fields.h"

namespace warden::config {
namespace {

constexpr std::string_view kNormSuffix = "_norm";

// "mean", "abs_l2_norm".
std::string Word(Reduction reduction) {
  std::string word = ReductionName(reduction);
  if (IsNorm(reduction.op)) word += kNormSuffix;
  return word;
}

std::optional<Reduction> ParseWord(std::string_view word) {
  // "l1" alone was refused by the original although its documents named it.
  const bool norm = word.ends_with(kNormSuffix);
  if (norm) word.remove_suffix(kNormSuffix.size());
  const auto reduction = ParseReductionName(word);
  if (reduction && norm && !IsNorm(reduction->op)) return std::nullopt;
  return reduction;
}

constexpr int kGroups = 4;

// The place of its kind in the text: operations, norms, absolute operations, absolute norms.
int Group(Reduction reduction) { return (reduction.abs ? 2 : 0) + (IsNorm(reduction.op) ? 1 : 0); }

}  // namespace

Result<std::vector<Reduction>> ParseReductionList(std::string_view text) {
  std::vector<Reduction> reductions;
  for (const std::string& word : SplitTrimmed(text, ',')) {
    const auto reduction = ParseWord(word);
    if (!reduction) {
      return Status(Code::kInvalid, fmt::format("unknown reduction '{}'; expected one of: {}", word,
                                                AcceptedReductions()));
    }
    if (std::find(reductions.begin(), reductions.end(), *reduction) == reductions.end()) {
      reductions.push_back(*reduction);
    }
  }
  return reductions;
}

Result<std::bitset<Reduction::kCount>> ParseReductions(std::string_view text) {
  Result<std::vector<Reduction>> list = ParseReductionList(text);
  if (!list.ok()) return list.status();
  return ReductionBits(list.value());
}

std::string AcceptedReductions() {
  std::string words;
  for (ReductionOp op : kAllReductionOps) words += Word({op, false}) + ", ";
  return words + "each optionally prefixed with abs_";
}

std::bitset<Reduction::kCount> ReductionBits(const std::vector<Reduction>& reductions) {
  std::bitset<Reduction::kCount> bits;
  for (Reduction reduction : reductions) bits.set(reduction.index());
  return bits;
}

std::string FormatReductions(const std::bitset<Reduction::kCount>& reductions,
                             const std::vector<Reduction>& order) {
  std::vector<Reduction> candidates = order;
  for (int i = 0; i < Reduction::kCount; ++i) candidates.push_back(Reduction::FromIndex(i));
  std::bitset<Reduction::kCount> open = reductions;
  std::string text;
  for (int group = 0; group < kGroups; ++group) {
    for (Reduction reduction : candidates) {
      if (Group(reduction) != group || !open.test(reduction.index())) continue;
      open.reset(reduction.index());
      if (!text.empty()) text += ',';
      text += Word(reduction);
    }
  }
  return text;
}

Json ToJson(const ReductionConfig& config) {
  Json json = Json::object();
  json["save_raw_tensor"] = config.save_raw_tensor;
  json["reductions"] = FormatReductions(config.reductions, config.order);
  json["save_shape"] = config.save_shape;
  return json;
}

Result<ReductionConfig> ReductionConfigFromJson(const Json& json) {
  ReductionConfig config;
  config.save_raw_tensor = false;
  std::string reductions;
  Fields fields(json);
  fields.Read("save_raw_tensor", &config.save_raw_tensor);
  fields.Read("reductions", &reductions);
  fields.Read("save_shape", &config.save_shape);
  if (!fields.status().ok()) return fields.status();
  Result<std::vector<Reduction>> list = ParseReductionList(reductions);
  if (!list.ok()) return list.status().WithContext("reductions");
  config.order = std::move(list).value();
  config.reductions = ReductionBits(config.order);
  return config;
}

}  // namespace warden::config
