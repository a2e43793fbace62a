#include "warden/jobs/supervise/patient_store.h"

#include <algorithm>

#include "warden/base/log.h"
#include "warden/os/pause.h"

namespace warden::jobs {
namespace {

constexpr std::chrono::milliseconds kFirstPause{50};
constexpr std::chrono::milliseconds kLongestPause{5000};

}  // namespace

bool PatientStore::Pause(const Status& status, const std::string& name) {
  if (status.code() == Code::kNotFound || leave_.stop_requested()) return false;
  LogError("job {} is blocked because the database failed; retrying: {}", name, status.message());
  pause_ = std::clamp(2 * pause_, kFirstPause, kLongestPause);
  return os::PauseFor(pause_, leave_);
}

std::optional<TrainingJob> PatientStore::Get(const std::string& name) {
  while (true) {
    auto job = store_->Get(name);
    if (job.ok()) pause_ = {};
    if (job.ok()) return std::move(job.value());
    if (!Pause(job.status(), name)) return std::nullopt;
  }
}

std::optional<TrainingJob> PatientStore::Change(const std::string& name,
                                                const std::function<bool(TrainingJob*)>& change) {
  while (true) {
    bool refused = false;
    auto job = store_->Change(name, [&](TrainingJob* now) {
      refused = !change(now);
      return refused ? Status(Code::kInvalid, "the change is no longer needed") : Status();
    });
    if (job.ok()) pause_ = {};
    if (job.ok()) return std::move(job.value());
    if (refused) return Get(name);
    if (!Pause(job.status(), name)) return std::nullopt;
  }
}

}  // namespace warden::jobs
