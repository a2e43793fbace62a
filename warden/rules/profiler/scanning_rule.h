#ifndef WARDEN_RULES_PROFILER_SCANNING_RULE_H_
#define WARDEN_RULES_PROFILER_SCANNING_RULE_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "warden/rules/profiler/profiler_rule.h"

namespace warden::rules {

// Parameters that several rules have.
inline constexpr Param kScanInterval = {
    "scan_interval_us", ParamType::kInteger, "60000000",
    "Length of an interval in which the rule counts as triggered at most once, in microseconds", 1};
inline constexpr Param kGpu = {
    "gpu", ParamType::kText, "",
    "Set to none for training on the CPU: the CPU usage of its processes is checked instead of the "
    "GPU"};

constexpr Param PercentParam(std::string_view name, std::string_view default_text,
                             std::string_view doc) {
  return {name, ParamType::kNumber, default_text, doc, 0, 100};
}
constexpr Param PatienceParam(std::string_view default_text) {
  return {"patience", ParamType::kInteger, default_text,
          "Number of data points to ignore at the start of each series", 0};
}
// A window is looked through at every judgement.
constexpr Param WindowParam(std::string_view default_text) {
  return {"window", ParamType::kInteger, default_text, "Number of recent data points to check", 1,
          1e5};
}

// kInvalid if `gpu` is given and not none.
Status CheckGpu(const Params& params);
inline bool IsCpuOnly(const Params& params) { return params.Has("gpu"); }

// For those with no other parameters to check.
template <class R>
Result<std::unique_ptr<Rule>> MakeWithGpu(const Params& params) {
  if (Status status = CheckGpu(params); !status.ok()) return status;
  return Make<R>(params);
}

// As it is told in JSON; what is no time is 0.
int64_t MicrosecondsOf(double seconds);

inline constexpr std::string_view kNoGpu = "no GPU found on this node";
inline constexpr std::string_view kNoSamples = "no system metrics were saved; add --profile system";
// "needs 1001 data points, found 12".
std::string OnlySoMany(int64_t seen, int64_t needed, std::string_view what = "data points");

// What is wrong with one device or node.
struct Firing {
  std::string device;  // Empty: the node as a whole.
  std::string node;
  Evidence evidence;
};

// What a rule makes of all that it has seen so far.
struct Judgement {
  std::vector<Firing> firings;
  std::string not_judged;  // Why; empty if it judged.
};

// A rule of its own that counts in how many intervals of scan_interval_us it held. All of the
// built-in ones are, but for ProfilerReport, which has them as parts.
class ScanningRule : public ProfilerRule {
 public:
  // shown: the parameters of the original, in its order.
  ScanningRule(std::string_view rule, const Params& params,
               std::initializer_list<std::string_view> shown);

  void JudgeSoFar(int64_t now_us, Verdicts* verdicts) final;
  std::vector<ProfilerResult> Results() const final;

  // The same as JudgeSoFar(), for somebody who tells it in another way.
  Judgement Consider(int64_t now_us);

 protected:
  virtual Judgement JudgeNow(int64_t now_us) = 0;
  // Fills in violations, datapoints and details.
  virtual void Tell(ProfilerResult* result) const = 0;

  void SetParameters(std::string text) { parameters_ = std::move(text); }

 private:
  const std::string rule_;
  const int64_t scan_interval_us_;
  std::string parameters_;
  int64_t triggered_ = 0;
  int64_t last_triggered_ = INT64_MIN;  // The interval's number.
  bool judged_ = false;
  std::string not_judged_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_SCANNING_RULE_H_
