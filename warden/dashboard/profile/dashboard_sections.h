#ifndef WARDEN_DASHBOARD_PROFILE_DASHBOARD_SECTIONS_H_
#define WARDEN_DASHBOARD_PROFILE_DASHBOARD_SECTIONS_H_

#include <vector>

#include "warden/dashboard/profile/profile_tally.h"
#include "warden/report/profiler/profiler_report.h"

namespace warden::dashboard {

// The panels of the profiler's dashboard: activity, kernels, launches, steps, precision, memory
// operations, annotations, CPU operators, communication. One with nothing to show says why, and how
// to get it.
std::vector<report::Section> DashboardSections(const ProfileTally& tally,
                                               const report::ProfilerInputs& inputs);

// Below, the panels that the files of this folder make.
report::Section ActivityPanel(const ProfileTally& tally, const report::ProfilerInputs& inputs);
report::Section StepsPanel(const report::ProfilerInputs& inputs);
report::Section KernelsPanel(const ProfileTally& tally);
report::Section LaunchesPanel(const ProfileTally& tally);
report::Section PrecisionPanel(const ProfileTally& tally);
report::Section GpuWorkPanel(const ProfileTally& tally);
report::Section MemoryPanel(const ProfileTally& tally);
report::Section CommunicationPanel(const ProfileTally& tally);
report::Section AnnotationsPanel(const ProfileTally& tally);
report::Section CpuPanel(const ProfileTally& tally);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_PROFILE_DASHBOARD_SECTIONS_H_
