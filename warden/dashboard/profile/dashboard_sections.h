#ifndef WARDEN_DASHBOARD_PROFILE_DASHBOARD_SECTIONS_H_
#define WARDEN_DASHBOARD_PROFILE_DASHBOARD_SECTIONS_H_

// The panels of the profiler's dashboard, as sections of a report: text, tables and charts that the
// page draws. RunProfile makes them; profile_tally.h counts what they show. Pure functions of their
// arguments, which they do not keep.

#include <vector>

#include "warden/dashboard/profile/profile_tally.h"
#include "warden/report/profiler/profiler_report.h"

namespace warden::dashboard {

// All panels, in the order of the page: activity, steps, kernels, launches, precision, GPU work,
// memory operations, communication, annotations, CPU operators. One with nothing to show says why,
// and how to get it, so that there are always as many.
std::vector<report::Section> DashboardSections(const ProfileTally& tally,
                                               const report::ProfilerInputs& inputs);

// Below, the single panels, which the files of this folder make.

// "activity": whether GPUs and CPUs did anything, from metrics of the machine.
report::Section ActivityPanel(const ProfileTally& tally, const report::ProfilerInputs& inputs);
// "step-time": the report's section about steps, without causes.
report::Section StepsPanel(const report::ProfilerInputs& inputs);
// "kernels": by time and by count. This and the next ones need the framework's own profiler.
report::Section KernelsPanel(const ProfileTally& tally);
// "launches": host time per launch, and how long the host waited.
report::Section LaunchesPanel(const ProfileTally& tally);
// "precision": time by data type, derived from the kernels' names.
report::Section PrecisionPanel(const ProfileTally& tally);
// "gpu-activity": kernels, communication, copies and fills.
report::Section GpuWorkPanel(const ProfileTally& tally);
// "memory-operations": copies by direction.
report::Section MemoryPanel(const ProfileTally& tally);
// "communication": collective kernels, and what Horovod and the like recorded on hosts.
report::Section CommunicationPanel(const ProfileTally& tally);
// "annotations": the user's ranges, and passes of the framework.
report::Section AnnotationsPanel(const ProfileTally& tally);
// "cpu-operators": time of one that runs inside another counts toward both.
report::Section CpuPanel(const ProfileTally& tally);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_PROFILE_DASHBOARD_SECTIONS_H_
