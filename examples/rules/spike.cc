// A rule in a shared object: fires when the largest magnitude of a tensor grows by more than
// `factor` within one step.
//
//   c++ -std=c++20 -shared -fPIC -I. -o spike.so examples/rules/spike.cc
//   warden eval RUN --rule spike.so:Spike,factor=10,collection_names=gradients
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "warden/rules/custom/warden_rule.h"

namespace {

class Spike {
 public:
  explicit Spike(double factor) : factor_(factor) {}

  int Evaluate(std::span<const WardenTensor> tensors, WardenVerdict* verdict) {
    int kind = kWardenSkipped;
    std::snprintf(verdict->message, kWardenMessageSize, "no float32 tensors");
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (tensors[i].dtype != kWardenFloat32) continue;
      if (kind == kWardenSkipped) kind = kWardenHealthy;
      const double now = Largest(tensors[i]);
      const double before = std::exchange(largest_[{tensors[i].name, tensors[i].worker}], now);
      if (kind == kWardenFired || before == 0 || now <= factor_ * before) continue;
      kind = kWardenFired;
      verdict->tensor = static_cast<int64_t>(i);
      verdict->value = now;
      verdict->threshold = factor_ * before;
      std::snprintf(verdict->message, kWardenMessageSize,
                    "rose from %.3g to %.3g, more than %g times", before, now, factor_);
    }
    return kind;
  }

 private:
  // ExplodingTensor reports NaN and infinities.
  static double Largest(const WardenTensor& tensor) {
    double largest = 0;
    for (const float value : std::span(static_cast<const float*>(tensor.data), tensor.count)) {
      if (std::isfinite(value)) largest = std::max<double>(largest, std::abs(value));
    }
    return largest;
  }

  const double factor_;
  std::map<std::pair<std::string, std::string>, double> largest_;  // By tensor and worker.
};

int Create(const WardenParam* params, uint64_t count, void** rule, char* message) {
  double factor = 10;
  for (const WardenParam& param : std::span(params, count)) {
    if (std::string(param.name) != "factor") {
      std::snprintf(message, kWardenMessageSize, "unknown parameter '%s'; expected one of: factor",
                    param.name);
      return 1;
    }
    char* end = nullptr;
    factor = std::strtod(param.text, &end);
    if (*end == '\0' && factor > 1) continue;
    std::snprintf(message, kWardenMessageSize, "factor is '%s'; expected a number above 1",
                  param.text);
    return 1;
  }
  *rule = new Spike(factor);
  return 0;
}

int Evaluate(void* rule, const WardenStep* step, WardenVerdict* verdict) {
  return static_cast<Spike*>(rule)->Evaluate({step->tensors, step->tensor_count}, verdict);
}

void Destroy(void* rule) { delete static_cast<Spike*>(rule); }

constexpr WardenRule kRules[] = {
    {"Spike", "A tensor grew many times larger within one step.",
     "Lower the learning rate or clip gradients. Inspect the batch of that step.", Create, Evaluate,
     Destroy}};
constexpr WardenRules kAll = {kWardenRuleVersion, 1, kRules};

}  // namespace

const WardenRules* warden_rules() { return &kAll; }
