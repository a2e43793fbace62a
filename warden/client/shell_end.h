#ifndef WARDEN_CLIENT_SHELL_END_H_
#define WARDEN_CLIENT_SHELL_END_H_

#include <optional>
#include <string_view>

#include "warden/client/shell_client.h"

namespace warden::client {

// What the last message of a service says of how a shell ended, without its first byte
// (jobs/exec/protocol.h). Nothing: it is not a JSON object. Used by RunShell.
std::optional<ShellEnd> ParseShellEnd(std::string_view text);

}  // namespace warden::client

#endif  // WARDEN_CLIENT_SHELL_END_H_
