#ifndef WARDEN_SERVICE_DASHBOARD_PROFILE_DASHBOARD_SECTIONS_H_
#define WARDEN_SERVICE_DASHBOARD_PROFILE_DASHBOARD_SECTIONS_H_

#include <vector>

#include "warden/report/profiler_report.h"
#include "warden/service/dashboard/profile/profile_tally.h"

namespace warden::service {

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

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_PROFILE_DASHBOARD_SECTIONS_H_
