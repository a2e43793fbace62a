#include "warden/actions/stop_training.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace warden::actions {
namespace {

std::string Named(const std::vector<std::string>& jobs) {
  return jobs.empty() ? "no jobs running" : fmt::format("running: {}", fmt::join(jobs, ", "));
}

class StopTraining : public Action {
 public:
  StopTraining(StopTrainingConfig config, JobControl* control)
      : config_(std::move(config)), control_(control) {}

  Attempt Run(const Firing& firing, const std::stop_token&) override {
    std::vector<std::string> running = control_->RunningJobs();
    std::sort(running.begin(), running.end());
    std::vector<std::string> meant;
    std::copy_if(running.begin(), running.end(), std::back_inserter(meant),
                 [&](const std::string& job) { return IsMeant(job, firing); });
    if (meant.size() == 1) return control_->Stop(meant.front(), ShortNotice(firing));
    if (meant.empty()) {
      return Status(Code::kNotFound, fmt::format("stopped nothing: {} is running ({})",
                                                 Wanted(firing), Named(running)));
    }
    return Status(Code::kInvalid,
                  fmt::format("stopped nothing: {} job names begin with '{}': {}", meant.size(),
                              config_.prefix, fmt::join(meant, ", ")));
  }

 private:
  bool IsMeant(const std::string& job, const Firing& firing) const {
    return config_.prefix.empty() ? job == firing.job : job.starts_with(config_.prefix);
  }
  std::string Wanted(const Firing& firing) const {
    return config_.prefix.empty()
               ? fmt::format("no job named '{}'", firing.job)
               : fmt::format("no job whose name begins with '{}'", config_.prefix);
  }

  const StopTrainingConfig config_;
  JobControl* const control_;
};

}  // namespace

std::unique_ptr<Action> NewStopTraining(StopTrainingConfig config, JobControl* control) {
  return std::make_unique<StopTraining>(std::move(config), control);
}

}  // namespace warden::actions
