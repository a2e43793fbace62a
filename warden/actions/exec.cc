#include "warden/actions/exec.h"

#include "warden/base/json.h"
#include "warden/os/command.h"

namespace warden::actions {
namespace {

class Exec : public Action {
 public:
  Exec(ExecConfig config, Origin origin) : origin_(std::move(origin)) {
    command_.words = config.words.empty()
                         ? std::vector<std::string>{"/bin/sh", "-c", std::move(config.script)}
                         : std::move(config.words);
    command_.timeout = config.timeout;
  }

  Attempt Run(const Firing& firing, const std::stop_token& stop) override {
    os::CommandLine command = command_;
    command.variables = {
        {"WARDEN_JOB", firing.job}, {"WARDEN_RULE", firing.rule}, {"WARDEN_RUN", firing.run}};
    return os::RunCommand(command, DumpLikePython(EventOf(firing, origin_)) + "\n", stop);
  }

 private:
  os::CommandLine command_;
  const Origin origin_;
};

}  // namespace

std::unique_ptr<Action> NewExec(ExecConfig config, Origin origin) {
  return std::make_unique<Exec>(std::move(config), std::move(origin));
}

}  // namespace warden::actions
