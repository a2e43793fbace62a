#ifndef WARDEN_CONFIG_HOOK_CONFIG_JSON_H_
#define WARDEN_CONFIG_HOOK_CONFIG_JSON_H_

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/config/hook_config.h"

namespace warden::config {

// A complete configuration as one object with HookConfig's members, collections in the form of
// manifests: how it crosses the border to the Python package. What users write is another form,
// which ParseHookConfig reads. What ToJson gives, read back, saves the same.
Json ToJson(const HookConfig& config);
// Unknown members are ignored; missing and null ones keep the defaults of HookConfig. kInvalidType
// for a member of the wrong type, kInvalid for a value that is not accepted; both name the member.
Result<HookConfig> HookConfigFromJson(const Json& json);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_HOOK_CONFIG_JSON_H_
