#include "warden/dashboard/site/run_facts_reader.h"

#include <algorithm>
#include <chrono>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/dashboard/site/folder_state.h"
#include "warden/format/layout.h"
#include "warden/rules/profiler/scanning_rule.h"
#include "warden/rules/xgboost_names.h"
#include "warden/storage/store.h"
#include "warden/trial/manifests.h"

namespace warden::dashboard {
namespace {

constexpr std::string_view kLoopCollection = "training";

watch::RunFacts FactsOf(const trial::Manifests& manifests) {
  watch::RunFacts facts;
  facts.workers = manifests.num_workers;
  facts.loop_observed = manifests.collections.empty();
  for (const auto& [name, collection] : manifests.collections) {
    const auto& tensors = collection.tensor_names;
    facts.loop_observed |= name == kLoopCollection && !tensors.empty();
    facts.xgboost |= std::any_of(tensors.begin(), tensors.end(), rules::IsXgboostTensor);
  }
  return facts;
}

// As far as rules have missed them. The service may have put words before a reason.
int GpusIn(const Json& views) {
  int gpus = 2;
  for (const Json& view : views) {
    const std::string reason = TextOf(MemberOf(view, "reason"));
    if (reason.ends_with(rules::kNoGpu)) return 0;
    if (reason.ends_with(rules::kOneGpu)) gpus = 1;
  }
  return gpus;
}

}  // namespace

watch::RunFacts RunFactsReader::Now() {
  const std::lock_guard lock(mutex_);
  const auto changed = ChangedAt(run_ + "/" + std::string(format::kCollectionsPrefix));
  if (!changed || changed == changed_) return facts_;
  const auto store = storage::OpenStore(run_);
  if (!store.ok()) return facts_;
  const auto manifests =
      trial::LoadManifests(*store.value(), std::chrono::milliseconds(0), /*needed=*/false);
  if (!manifests.ok()) return facts_;
  changed_ = changed;
  facts_ = FactsOf(manifests.value());
  return facts_;
}

void MarkApplicable(watch::RunFacts facts, Json* views) {
  facts.gpus = GpusIn(*views);
  for (Json& view : *views) {
    view["applies"] =
        view["status"] != "NotEvaluated" || watch::CanApply(TextOf(&view["rule"]), facts);
  }
}

}  // namespace warden::dashboard
