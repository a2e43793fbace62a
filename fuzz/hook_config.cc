// The input as a hook configuration, for every framework, up to the collections that a hook would
// work with: whatever is accepted must be complete. Also as one of its values: a list of
// reductions, or when to synchronize.

#include "warden/config/hook_config.h"

#include <string>

#include "fuzz/check.h"
#include "warden/config/reduction_config.h"

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

// A list comes back from its text, each reduction once.
void ReadReductions(std::string_view text) {
  const auto list = config::ParseReductionList(text);
  const auto set = config::ParseReductions(text);
  Check(list.ok() == set.ok());
  if (!list.ok()) {
    Check(list.status().message().find(config::AcceptedReductions()) != std::string::npos);
    return;
  }
  Check(config::ReductionBits(list.value()) == set.value());
  Check(list.value().size() == set.value().count());
  const auto again = config::ParseReductions(config::FormatReductions(set.value(), list.value()));
  Check(again.ok() && again.value() == set.value());
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size);
  for (const auto framework : warden::fuzz::kFrameworks) {
    warden::fuzz::Configure(text, framework);
  }
  warden::fuzz::ReadReductions(text);
  if (const auto fsync = warden::config::ParseFsync(text)) {
    warden::fuzz::Check(warden::config::FsyncName(*fsync) == text);
  }
  return 0;
}
