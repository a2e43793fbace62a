#ifndef WARDEN_RULES_PROFILER_RULES_H_
#define WARDEN_RULES_PROFILER_RULES_H_

#include "warden/rules/rule.h"

// One for each file of this folder that is a rule; registry.cc lists them.
namespace warden::rules {

RuleEntry BatchSize();
RuleEntry CPUBottleneck();
RuleEntry Dataloader();
RuleEntry GPUMemoryIncrease();
RuleEntry IOBottleneck();
RuleEntry LoadBalancing();
RuleEntry LowGPUUtilization();
RuleEntry MaxInitializationTime();
RuleEntry OverallFrameworkMetrics();
RuleEntry OverallSystemUsage();
RuleEntry ProfilerReport();
RuleEntry StepOutlier();

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_RULES_H_
