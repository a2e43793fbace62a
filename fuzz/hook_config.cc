// The input as a hook configuration, for every framework, up to the collections that a hook would
// work with: whatever is accepted must be complete.

#include "warden/config/hook_config.h"

#include "fuzz/check.h"

namespace warden::fuzz {
namespace {

using config::Framework;

constexpr Framework kFrameworks[] = {Framework::kPyTorch, Framework::kMxNet, Framework::kTensorFlow,
                                     Framework::kXgBoost, Framework::kPlain};

void Configure(std::string_view text, Framework framework) {
  const auto config = config::ParseHookConfig(text, framework);
  if (!config.ok()) return;
  const auto collections = config::PrepareCollections(config.value(), framework);
  if (!collections.ok()) return;
  for (const auto& [name, collection] : collections.value()) {
    Check(collection.reduction_config && collection.save_config);
    for (const Mode mode : kAllModes) Check(collection.save_config->mode(mode).save_interval >= 1);
  }
  for (const auto& name : config::CollectionsToSave(config.value(), framework)) {
    Check(collections.value().contains(name));
  }
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (const auto framework : warden::fuzz::kFrameworks) {
    warden::fuzz::Configure(warden::fuzz::Text(data, size), framework);
  }
  return 0;
}
