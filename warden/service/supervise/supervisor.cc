#include "warden/service/supervise/supervisor.h"

#include <utility>

#include "warden/actions/settings.h"
#include "warden/service/supervise/crew.h"
#include "warden/service/supervise/stored_jobs.h"

namespace warden::service {
namespace {

class LocalSupervisor : public Supervisor {
 public:
  LocalSupervisor(ServiceOptions options, JobStore* store, Launcher* launcher,
                  actions::Settings settings)
      : options_(std::move(options)),
        jobs_(store, [this](const std::string& job) { Wake(job); }),
        maker_(std::move(settings), &jobs_),
        crew_({&options_, store, launcher, &maker_, {}}) {}

  void Wake(const std::string& job) override { crew_.Wake(job); }

 private:
  const ServiceOptions options_;
  StoredJobs jobs_;
  actions::ActionMaker maker_;
  Crew crew_;
};

}  // namespace

Result<std::unique_ptr<Supervisor>> StartSupervisor(const ServiceOptions& options, JobStore* store,
                                                    Launcher* launcher) {
  auto settings = actions::LoadSettings(options.actions_file);
  if (!settings.ok()) return settings.status();
  return std::unique_ptr<Supervisor>(
      std::make_unique<LocalSupervisor>(options, store, launcher, std::move(settings).value()));
}

}  // namespace warden::service
