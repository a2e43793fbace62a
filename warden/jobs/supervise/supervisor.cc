#include "warden/jobs/supervise/supervisor.h"

#include <utility>

#include "warden/actions/settings.h"
#include "warden/jobs/supervise/crew.h"
#include "warden/jobs/supervise/stored_jobs.h"

namespace warden::jobs {
namespace {

class LocalSupervisor : public Supervisor {
 public:
  LocalSupervisor(service::ServiceOptions options, JobStore* store, Launcher* launcher,
                  actions::Settings settings)
      : options_(std::move(options)),
        jobs_(store, [this](const std::string& job) { Wake(job); }),
        maker_(std::move(settings), &jobs_),
        crew_({&options_, store, launcher, &maker_, {}}) {}

  void Wake(const std::string& job) override { crew_.Wake(job); }

 private:
  const service::ServiceOptions options_;
  StoredJobs jobs_;
  actions::ActionMaker maker_;
  Crew crew_;
};

}  // namespace

Result<std::unique_ptr<Supervisor>> StartSupervisor(const service::ServiceOptions& options,
                                                    JobStore* store, Launcher* launcher) {
  auto settings = actions::LoadSettings(options.actions_file);
  if (!settings.ok()) return settings.status();
  return std::unique_ptr<Supervisor>(
      std::make_unique<LocalSupervisor>(options, store, launcher, std::move(settings).value()));
}

}  // namespace warden::jobs
