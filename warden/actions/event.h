#ifndef WARDEN_ACTIONS_EVENT_H_
#define WARDEN_ACTIONS_EVENT_H_

#include <chrono>
#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/rules/finding.h"

namespace warden::actions {

// A finding of a rule, with everything that an action needs.
struct Firing {
  using Time = std::chrono::sys_time<std::chrono::milliseconds>;

  std::string job;
  // Distinguishes a job that was started again, with the same name and folder: for example its
  // start time. May be empty where names are not used twice.
  std::string launch;
  std::string run;         // Its folder.
  std::string rule;        // The name under which the user configured it.
  std::string rule_class;  // What it is: "VanishingGradient".
  Time time;
  rules::Finding finding;
};

Json ToJson(const Firing& firing);
// kCorrupt names the member.
Result<Firing> FiringFromJson(const Json& json);

// A UUID, the same whenever the same rule finds the same thing in the same launch of a job: however
// often it is delivered, and by whichever process, receivers can see that it is one event, even if
// the finding has grown since.
std::string EventId(const Firing& firing);

// The account and region that the event is to name; ours are invented.
struct Origin {
  std::string account = "000000000000";
  std::string region = "us-east-1";
};

// "SageMaker Training Job State Change" as Amazon's EventBridge has it, so that handlers written
// for it understand ours, with detail.Finding in addition.
Json EventOf(const Firing& firing, const Origin& origin);

// "SMDebugRule:VanishingGradient fired", as the original's messages begin.
std::string Headline(const Firing& firing);

// The headline, the job, what was found, on one line.
std::string ShortNotice(const Firing& firing);

// The headline, then all details.
std::string LongNotice(const Firing& firing);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_EVENT_H_
