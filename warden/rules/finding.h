#ifndef WARDEN_RULES_FINDING_H_
#define WARDEN_RULES_FINDING_H_

// What a rule reports: a problem, where and since when. Rules open findings through Verdicts; the
// engine hands them to its caller, Records writes them to firings.jsonl, reports, alarms and the
// dashboard show them. The JSON form is read back by those, so its keys do not change.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/rules/confidence.h"
#include "warden/rules/severity.h"

namespace warden::rules {

// A problem that a rule found over consecutive steps: at every step from `step` to `last_step`
// where the rule checked this tensor in this mode, it found the problem.
//
// A plain value, safe to copy and to keep. `last_step` and `count` grow while the finding is open,
// `spread` for some steps; everything else is set when it opens and stays. A problem that ends and
// comes back is two findings. id is unique together with the rule's name.
struct Finding {
  int64_t id = 0;             // Number of the finding within its rule, from 1, by first step.
  Step step = 0;              // First step, global.
  Step last_step = 0;         // Last step so far, global.
  int64_t count = 1;          // Number of steps.
  Mode mode = Mode::kGlobal;  // Of the steps; kGlobal for profiler rules.
  std::string worker;         // Empty: no single worker. For profiler rules: the node.
  std::string tensor;         // Empty: no single tensor. For profiler rules: the device.
  double value = 0;           // Measured at the first step.
  double threshold = 0;       // The limit that the value violated.
  std::string message;        // One sentence about the first step.
  std::string advice;         // How to fix it.
  double time_s = 0;          // Start in seconds since 1970; 0: the finding is about steps.
  Severity severity = Severity::kProblem;      // As the rule declares it.
  std::optional<int64_t> optimizer_step = {};  // Optimizer steps until then, if they are counted.
  std::optional<int64_t> epoch = {};           // From 1, if the training counts them.
  std::optional<Confidence> confidence = {};   // If it is not the usual one of the rule.
  // The places that it went through, in order, where the rule knows: "decoder.3 (step 51)",
  // "decoder.4", "all gradients".
  std::vector<std::string> spread = {};
  double wall_time = 0;  // When the first step was saved, in seconds since 1970; 0: not known.
  // Share of the steps until then that the training waited for its data loader, where these waits
  // are long enough to matter.
  std::optional<double> loader_share = {};
};

// How the training script counts the first step, where that says more than the step:
// "optimizer step 54, epoch 2"; else empty.
std::string ScriptCountText(const Finding& finding);
// When it began, in the counting of the training script too where that differs: "step 12",
// "step 12 (EVAL)", "step 108 (optimizer step 54, epoch 2)".
std::string StepText(const Finding& finding);
// The same for a moment: "12:03:20 UTC"; StepText if the finding is about steps.
std::string BeginText(const Finding& finding);

// {"id", "step", "last_step", "count", "mode", "worker", "tensor", "value", "threshold", "message",
// "advice", "severity"} and, if set, "time", "optimizer_step", "epoch", "confidence", "spread",
// "wall_time" and "loader_share". Non-finite numbers are the strings "NaN", "Infinity",
// "-Infinity", since JSON has no number for them.
Json ToJson(const Finding& finding);
// The reverse. "severity" (kProblem without it) and the members after it may be missing; unknown
// members are ignored. kCorrupt names the first member that is missing or has the wrong type, or a
// mode, severity or confidence that does not exist.
Result<Finding> FindingFromJson(const Json& json);

}  // namespace warden::rules

#endif  // WARDEN_RULES_FINDING_H_
