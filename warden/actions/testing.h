#ifndef WARDEN_ACTIONS_TESTING_H_
#define WARDEN_ACTIONS_TESTING_H_

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "warden/actions/event.h"
#include "warden/storage/testing.h"

// For the tests of actions.
namespace warden::actions {

// A fresh folder that goes with the object.
class TempFolder : public storage::TempFolder {
 public:
  std::string File(std::string_view name) const { return path() / name; }
  // The path of a new file with this text, which only its owner may read.
  std::string Write(std::string_view name, std::string_view text) const {
    const std::string file = File(name);
    std::ofstream(file) << text;
    std::filesystem::permissions(
        file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    return file;
  }
};

inline Firing SomeFiring() {
  Firing firing;
  firing.job = "demo-001";
  firing.run = "runs/demo-001";
  firing.rule = "MyGradients";
  firing.rule_class = "VanishingGradient";
  firing.time = Firing::Time(std::chrono::milliseconds(1'767'323'045'678));
  firing.finding.id = 1;
  firing.finding.step = 500;
  firing.finding.last_step = 500;
  firing.finding.mode = Mode::kTrain;
  firing.finding.worker = "worker_0";
  firing.finding.tensor = "gradient/fc.weight";
  firing.finding.value = 1e-9;
  firing.finding.threshold = 1e-7;
  firing.finding.message = "The gradient of fc.weight vanishes.";
  firing.finding.advice = "Try another activation.";
  return firing;
}

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_TESTING_H_
