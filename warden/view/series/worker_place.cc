#include "warden/view/series/worker_place.h"

#include "warden/base/json.h"
#include "warden/base/json_members.h"

namespace warden::view {
namespace {

constexpr std::string_view kFacts = "training/facts";

}  // namespace

WorkerPlace PlaceOf(const trial::Trial& trial, const std::string& worker) {
  const auto steps = trial.TensorSteps(kFacts);
  if (!steps.ok()) return {};
  for (const Step step : steps.value()) {
    const auto value = trial.Value(kFacts, step, Mode::kGlobal, worker);
    if (!value.ok()) continue;
    const auto facts = ParseJson(AsText(value.value().data));
    if (!facts.ok()) continue;
    const auto told = [&](const char* name) { return TextOf(MemberOf(facts.value(), name)); };
    if (std::string host = told("host"); !host.empty()) {
      return {std::move(host), told("node"), told("boot")};
    }
  }
  return {};
}

}  // namespace warden::view
