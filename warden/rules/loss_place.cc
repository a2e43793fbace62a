#include "warden/rules/loss_place.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "warden/rules/xgboost_names.h"

namespace warden::rules {
namespace {

constexpr std::string_view kTraining = "train";
constexpr std::string_view kRising[] = {"auc",  "aucpr", "map",
                                        "ndcg", "pre",   "interval-regression-accuracy"};

bool IsTraining(std::string_view data) {
  return data.size() >= kTraining.size() &&
         std::equal(kTraining.begin(), kTraining.end(), data.begin(), [](char wanted, char c) {
           return wanted == std::tolower(static_cast<unsigned char>(c));
         });
}

}  // namespace

std::optional<LossPlace> PlaceOf(std::string_view tensor, Mode mode_of_step) {
  if (mode_of_step == Mode::kTrain || mode_of_step == Mode::kEval) {
    return LossPlace{mode_of_step, tensor};
  }
  if (mode_of_step != Mode::kGlobal) return std::nullopt;
  const auto name = ParseMetricName(tensor);
  if (!name) return std::nullopt;
  return LossPlace{IsTraining(name->data) ? Mode::kTrain : Mode::kEval,
                   tensor.substr(tensor.size() - name->metric.size())};
}

bool RisesWhenBetter(std::string_view tensor) {
  const auto name = ParseMetricName(tensor);
  return name && std::find(std::begin(kRising), std::end(kRising), BaseOfMetric(name->metric)) !=
                     std::end(kRising);
}

}  // namespace warden::rules
