#ifndef WARDEN_HOOK_ROLES_H_
#define WARDEN_HOOK_ROLES_H_

#include <string_view>

#include "warden/base/status.h"
#include "warden/capture/capture_hook.h"
#include "warden/config/hook_config.h"

namespace warden::hook {

// Roles of tensors in C and C++ programs: what wd_hook_add_role does. Rules ask for collections
// such as "relu_output"; only the program knows which of its tensors those are.

// Before the hook is made. A configuration may name collections of roles without a pattern, as the
// program adds their tensors later, by name. Here they get the pattern by which other frameworks
// know them (".*relu_output"), for one that can hold nothing is dropped with a warning. Other
// collections stay as they are.
void MakeRoomForRoles(config::HookConfig* config);

// Puts the role into the manifest and the tensor (or, of a name that ends in '_', all that begin
// so) into the collections of the role that are saved; those that are not are left alone. Any text
// may be a role. Safe for many threads, as Hook::Include is.
Status AddRole(std::string_view role, std::string_view tensor, capture::Hook* hook);

}  // namespace warden::hook

#endif  // WARDEN_HOOK_ROLES_H_
