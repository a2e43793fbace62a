#include "warden/cli/launch/guard_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>

#include "warden/base/strings.h"

namespace warden::cli {
namespace {

constexpr double kBytesInGb = 1e9;
constexpr char kActions[] = "skip, stop, dump, or a list such as skip,dump or stop,dump";

Status BadFlag(const char* name, const std::string& value, const char* expected) {
  return Status(Code::kInvalid, fmt::format("{} is '{}'; expected {}", name, value, expected));
}

}  // namespace

void DefineGuardFlags(Command* command, GuardFlags* flags) {
  command->Text("--guard", &flags->guard,
                "What to do before a PyTorch optimizer uses NaN or infinite gradients: skip its\n"
                "step, stop the training with exit code 3, or dump the step for 'warden replay'.\n"
                "dump can be combined: skip,dump");
  command->Text("--max-dumps", &flags->max_dumps,
                "Steps that each worker dumps at most (default: 1)");
  command->Text("--max-dump-size", &flags->max_dump_size,
                "Largest step to dump, in GB (default: 16)");
}

Result<std::vector<std::pair<std::string, std::string>>> GuardVariables(const GuardFlags& flags) {
  std::vector<std::pair<std::string, std::string>> variables;
  std::set<std::string> actions;
  if (!flags.guard.empty()) {
    for (const std::string& action : SplitTrimmed(flags.guard, ',')) {
      if (action != "skip" && action != "stop" && action != "dump") {
        return BadFlag("--guard", flags.guard, kActions);
      }
      actions.insert(action);
    }
    if (actions.contains("skip") && actions.contains("stop")) {
      return BadFlag("--guard", flags.guard, "skip or stop, not both");
    }
    if (actions.empty()) return BadFlag("--guard", flags.guard, kActions);
    variables.emplace_back("TENSORWARDEN_GUARD", fmt::format("{}", fmt::join(actions, ",")));
  }
  const bool limits = !flags.max_dumps.empty() || !flags.max_dump_size.empty();
  if (limits && !actions.contains("dump")) {
    return Status(Code::kInvalid, "--max-dumps and --max-dump-size need --guard dump");
  }
  if (!flags.max_dumps.empty()) {
    const auto most = ParseInt(flags.max_dumps);
    if (!most || *most < 1 || *most > 1000) {
      return BadFlag("--max-dumps", flags.max_dumps, "a number from 1 to 1000");
    }
    variables.emplace_back("TENSORWARDEN_DUMPS", flags.max_dumps);
  }
  if (!flags.max_dump_size.empty()) {
    const auto size = ParseDouble(flags.max_dump_size);
    if (!size || !(*size > 0 && *size <= 1e6)) {
      return BadFlag("--max-dump-size", flags.max_dump_size, "a number of GB, above 0");
    }
    variables.emplace_back("TENSORWARDEN_DUMP_BYTES",
                           fmt::format("{}", std::llround(*size * kBytesInGb)));
  }
  return variables;
}

}  // namespace warden::cli
