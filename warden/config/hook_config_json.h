#ifndef WARDEN_CONFIG_HOOK_CONFIG_JSON_H_
#define WARDEN_CONFIG_HOOK_CONFIG_JSON_H_

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/config/hook_config.h"

namespace warden::config {

// A complete configuration as one object with HookConfig's members, collections in the form of
// manifests: how it crosses the border to other languages, where ParseHookConfig reads what users
// write.
Json ToJson(const HookConfig& config);
Result<HookConfig> HookConfigFromJson(const Json& json);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_HOOK_CONFIG_JSON_H_
