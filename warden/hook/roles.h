#ifndef WARDEN_HOOK_ROLES_H_
#define WARDEN_HOOK_ROLES_H_

#include <string_view>

#include "warden/base/status.h"
#include "warden/capture/hook.h"
#include "warden/config/hook_config.h"

namespace warden::hook {

// A collection may be saved that holds what plays a role, e.g. "relu_output": which tensors do is
// told later, by name. These are the ones that configurations name without a pattern; they get the
// pattern by which other frameworks know them, for one that can hold nothing is refused.
void MakeRoomForRoles(config::HookConfig* config);

// Tells the manifest and puts the tensor (or, of a name that ends in '_', all that begin so) into
// the collections of the role that are saved.
Status AddRole(std::string_view role, std::string_view tensor, capture::Hook* hook);

}  // namespace warden::hook

#endif  // WARDEN_HOOK_ROLES_H_
