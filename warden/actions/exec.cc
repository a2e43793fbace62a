#include "warden/actions/exec.h"

#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/base/text/utf8.h"
#include "warden/os/run_command.h"

namespace warden::actions {
namespace {

// Variables cannot be long; the event on standard input has all of it.
constexpr size_t kMostMessageBytes = 2000;

std::string MessageOf(const Firing& firing) {
  return std::string(CutUtf8(ValidUtf8(OneLine(firing.finding.message)), kMostMessageBytes));
}

class Exec : public Action {
 public:
  Exec(ExecConfig config, Origin origin, std::optional<ExecPlace> place)
      : origin_(std::move(origin)) {
    command_.words = config.words.empty()
                         ? std::vector<std::string>{"/bin/sh", "-c", std::move(config.script)}
                         : std::move(config.words);
    command_.timeout = config.timeout;
    if (!place) return;
    command_.environment = std::move(place->environment);
    if (place->prefix.empty()) return;
    place->prefix.push_back(DumpLikePython(command_.words));
    command_.words = std::move(place->prefix);
  }

  Attempt Run(const Firing& firing, const std::stop_token& stop) override {
    os::CommandLine command = command_;
    command.variables = {{"WARDEN_JOB", firing.job},
                         {"WARDEN_RULE", firing.rule},
                         {"WARDEN_RUN", firing.run},
                         {"WARDEN_SEVERITY", std::string(rules::SeverityName(SeverityOf(firing)))},
                         {"WARDEN_STEP", fmt::format("{}", firing.finding.step)},
                         {"WARDEN_MESSAGE", MessageOf(firing)}};
    return os::RunCommand(command, DumpLikePython(EventOf(firing, origin_)) + "\n", stop);
  }

 private:
  os::CommandLine command_;
  const Origin origin_;
};

}  // namespace

std::unique_ptr<Action> NewExec(ExecConfig config, Origin origin, std::optional<ExecPlace> place) {
  return std::make_unique<Exec>(std::move(config), std::move(origin), std::move(place));
}

}  // namespace warden::actions
