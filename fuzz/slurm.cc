// The input as slurm.json, as what squeue prints, as a time of Slurm's, and as environments.json.

#include <string>

#include "fuzz/check.h"
#include "warden/jobs/launch/environments.h"
#include "warden/jobs/slurm/slurm_config.h"
#include "warden/jobs/slurm/slurm_queue.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warden;
  const std::string_view text = fuzz::Text(data, size);
  if (const auto config = jobs::SlurmConfig::Parse(text); config.ok()) {
    for (const jobs::SlurmQueueOptions& queue : config.value().queues()) {
      fuzz::Check(!queue.instance_types.empty() && queue.cpus >= 0 && queue.Gpus() >= 0);
    }
  } else {
    fuzz::Check(!config.status().message().empty());
  }
  for (const auto& [id, job] : jobs::ParseQueue(text)) {
    fuzz::Check(id == job.id && !id.empty());
    (void)job.IsOver();
  }
  if (const auto minutes = jobs::MinutesOf(text)) fuzz::Check(*minutes >= 0);
  if (const auto environments = jobs::Environments::Parse(text); environments.ok()) {
    (void)environments.value().Find("tensorwarden/pytorch");
  } else {
    fuzz::Check(!environments.status().message().empty());
  }
  return 0;
}
