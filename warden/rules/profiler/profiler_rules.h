#ifndef WARDEN_RULES_PROFILER_PROFILER_RULES_H_
#define WARDEN_RULES_PROFILER_PROFILER_RULES_H_

// The built-in rules that check system metrics and the timeline, one for each file of this folder
// that is a rule. catalog/registry.cc lists them; ProfilerReport runs all others as its parts. Each
// function returns the same entry every time; what it points to lives as long as the process. For
// any thread.
//
// All of them have scan_interval_us, the length in µs of an interval in which a finding counts
// once. `patience` leaves out the first points of each series, while a training warms up. A rule
// with the parameter `gpu` compares with the CPU usage of the training's processes if it is "none".
// Utilizations are percentages from 0 to 100.

#include "warden/rules/rule.h"

namespace warden::rules {

// CPU, GPU and GPU memory are all underused: the 95th percentiles of recent points.
RuleEntry BatchSize();
// GPUs wait while the CPU is busy: the percentage of points at which both are so.
RuleEntry CPUBottleneck();
// Too few or too many data loader workers, in percent of the CPU cores of their node.
RuleEntry Dataloader();
// Makes a report of what operators and kernels cost, from OverallFrameworkMetrics and
// OverallSystemUsage; never fires. SageMaker's SDK adds it to jobs with SageMaker Profiler.
RuleEntry DetailedProfilerProcessing();
// GPU memory usage jumped or keeps growing, in percentage points over a window.
RuleEntry GPUMemoryIncrease();
// GPUs wait while the machine waits for disk I/O. As CPUBottleneck, with the I/O wait of the cores.
RuleEntry IOBottleneck();
// The GPUs of a node have different workloads: the distance between the histograms of their
// utilization, for each pair.
RuleEntry LoadBalancing();
// GPU utilization is low (its 95th percentile) or fluctuates (its 5th).
RuleEntry LowGPUUtilization();
// The first step starts too late, in minutes since the earliest sample or span of the run.
RuleEntry MaxInitializationTime();
// Time by step, phase and operator, as details for the report; never fires.
RuleEntry OverallFrameworkMetrics();
// Utilization of each machine: network, GPU, CPU, both memories and I/O wait, as details for the
// report; never fires.
RuleEntry OverallSystemUsage();
// Runs all of the others, whose parameters are its own with the name in front: BatchSize_patience.
// What they find is its finding.
RuleEntry ProfilerReport();
// Steps that take much longer than others of their mode, in standard deviations above the mean;
// fires if there are more than a number of them.
RuleEntry StepOutlier();

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_PROFILER_RULES_H_
