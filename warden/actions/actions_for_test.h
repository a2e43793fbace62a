#ifndef WARDEN_ACTIONS_ACTIONS_FOR_TEST_H_
#define WARDEN_ACTIONS_ACTIONS_FOR_TEST_H_

#include "warden/actions/event.h"
#include "warden/os/temp_folder_for_test.h"

// For the tests of actions.
namespace warden::actions {

inline Firing SomeFiring() {
  Firing firing;
  firing.job = "demo-001";
  firing.run = "runs/demo-001";
  firing.rule = "MyGradients";
  firing.rule_class = "VanishingGradient";
  firing.time = Time(std::chrono::milliseconds(1'767'323'045'678));
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

#endif  // WARDEN_ACTIONS_ACTIONS_FOR_TEST_H_
