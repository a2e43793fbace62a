#ifndef WARDEN_JOBS_LAUNCH_INSTANCE_LIMITS_H_
#define WARDEN_JOBS_LAUNCH_INSTANCE_LIMITS_H_

// What a job may use of this machine, by the instance that its request asks for.

#include <cstdint>
#include <string>

#include "warden/jobs/launch/extract.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Of one instance; 0: not known.
struct InstanceLimits {
  uint64_t memory_bytes = 0;
  int64_t cpus = 0;
  uint64_t processes = 0;  // And threads, together.
};
// "ml.m5.xlarge": 16 GiB, 4 processors and 16,384 processes. By family and size, which Amazon names
// regularly; nothing for names that are not of that kind.
InstanceLimits LimitsOfInstance(const std::string& type);
// As much of it as the machine can give to one host and keep running: it keeps an eighth of its
// memory, at least 512 MiB (half of it where there is less than twice that), and half of its
// processes. What is not known
// is limited by the machine alone.
InstanceLimits WithinMachine(const InstanceLimits& wanted, const InstanceLimits& machine);

// The instance of a host, which is one of job.Hosts(), within this machine.
InstanceLimits LimitsOfHost(const TrainingJob& job, const std::string& host);
// What an archive may grow to on the volume that the job asks for (VolumeSizeInGB).
ExtractLimits LimitsOfVolume(const TrainingJob& job);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_INSTANCE_LIMITS_H_
