#ifndef WARDEN_RULES_PROFILER_PROFILER_RULES_H_
#define WARDEN_RULES_PROFILER_PROFILER_RULES_H_

// The built-in rules that check system metrics and the timeline, one for each file of this folder
// that is a rule. catalog/registry.cc lists them; ProfilerReport runs all others as its parts. Each
// function returns the same entry every time.

#include "warden/rules/rule.h"

namespace warden::rules {

RuleEntry BatchSize();                // CPU, GPU and GPU memory are all underused.
RuleEntry CPUBottleneck();            // GPUs wait while the CPU is busy.
RuleEntry Dataloader();               // Too few or too many data loader workers.
RuleEntry GPUMemoryIncrease();        // GPU memory usage jumped or keeps growing.
RuleEntry IOBottleneck();             // GPUs wait while the machine waits for disk I/O.
RuleEntry LoadBalancing();            // The GPUs of a node have different workloads.
RuleEntry LowGPUUtilization();        // GPU utilization is low or fluctuates.
RuleEntry MaxInitializationTime();    // The first step starts too late.
RuleEntry OverallFrameworkMetrics();  // Time by step, phase and operator; never fires.
RuleEntry OverallSystemUsage();       // Utilization of each machine; never fires.
RuleEntry ProfilerReport();           // Runs all of the others.
RuleEntry StepOutlier();              // Some steps take much longer than others.

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_PROFILER_RULES_H_
