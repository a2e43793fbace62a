#include "warden/rules/first_nan.h"

#include <utility>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/rules/tensor_view.h"

namespace warden::rules {

std::optional<Confidence> FirstNan::confidence() const {
  return phase == "optimizer" ? std::nullopt : std::optional(Confidence::kHigh);
}

Selector FirstNanInput() { return {.patterns = {"^training/facts$"}}; }

FirstNan FirstNanOf(const Json& facts) {
  FirstNan found;
  const Json* fact = MemberOf(facts, "first_nan");
  if (fact == nullptr || MemberOf(*fact, "step") == nullptr) return found;
  found.step = IntegerOf(MemberOf(*fact, "step"));
  found.phase = TextOf(MemberOf(*fact, "phase"));
  found.tensor = TextOf(MemberOf(*fact, "tensor"));
  found.worker = TextOf(MemberOf(*fact, "worker"));
  found.what = TextOf(MemberOf(*fact, "what"));
  return found;
}

std::vector<FirstNan> FirstNansIn(const StepView::Tensors& tensors) {
  std::vector<FirstNan> all;
  for (TensorView* tensor : tensors) {
    const trial::TensorValue* raw = tensor->Raw();
    if (raw == nullptr || tensor->name() != "training/facts") continue;
    const auto facts = ParseJson(AsText(raw->ref().bytes()));
    if (!facts.ok()) continue;
    FirstNan found = FirstNanOf(facts.value());
    if (found.step >= 0 && !found.what.empty()) all.push_back(std::move(found));
  }
  return all;
}

}  // namespace warden::rules
