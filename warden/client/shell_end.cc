#include "warden/client/shell_end.h"

#include <string>

#include "warden/base/json.h"
#include "warden/base/json_members.h"

namespace warden::client {

std::optional<ShellEnd> ParseShellEnd(std::string_view text) {
  const auto json = ParseJson(text);
  if (!json.ok() || !json.value().is_object()) return std::nullopt;
  ShellEnd end;
  const Json* code = MemberOf(json.value(), "exit_code");
  if (code != nullptr && code->is_number_integer()) {
    end.exit_code = static_cast<int>(IntegerOf(code) & 0xFF);
    return end;
  }
  end.closed = TextOf(MemberOf(json.value(), "closed"));
  if (end.closed.empty()) end.closed = "for an unknown reason";
  return end;
}

}  // namespace warden::client
