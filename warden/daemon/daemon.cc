#include "warden/daemon/daemon.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <utility>

#include "warden/auth/first_start.h"
#include "warden/base/log.h"
#include "warden/dashboard/site/dashboard.h"
#include "warden/dashboard/site/page.h"
#include "warden/http/router.h"
#include "warden/http/server.h"
#include "warden/jobs/db/job_copies.h"
#include "warden/jobs/events/delivery.h"
#include "warden/jobs/exec/exec_handler.h"
#include "warden/jobs/slurm/slurm.h"
#include "warden/jobs/supervise/live_events.h"
#include "warden/net/url.h"
#include "warden/os/control_group.h"
#include "warden/os/freed_memory.h"
#include "warden/os/open_files.h"
#include "warden/s3/s3.h"
#include "warden/sagemaker/api.h"
#include "warden/sagemaker/cloudwatch.h"
#include "warden/service/data_folder.h"
#include "warden/storage/shortened_files.h"

namespace warden::daemon {
namespace {

constexpr std::string_view kSchemes[] = {"http", "https"};
// Two for each connection, and as many again for logs, databases and jobs. No more: programs that
// go over all possible descriptors would take long with the millions that some systems allow.
constexpr size_t kMostFiles = 8192;

// Whether the service is running: needs no key and reveals nothing.
class HealthHandler final : public http::Handler {
 public:
  std::unique_ptr<http::Exchange> Begin(const http::RequestHead& head) override {
    http::Response response;
    response.headers = {{"Content-Type", "application/json"}};
    response.body = "{\"status\": \"ok\"}\n";
    if (head.method != "GET" && head.method != "HEAD") {
      response.status = 405;
      response.body = "{\"message\": \"method not allowed; expected GET or HEAD\"}\n";
      response.headers.emplace_back("Allow", "GET, HEAD");
    }
    return http::AnswerAtOnce(std::move(response));
  }
};

// Sends browsers that ask for nothing in particular to the dashboard.
class FrontDoor final : public http::Handler {
 public:
  std::unique_ptr<http::Exchange> Begin(const http::RequestHead&) override {
    http::Response response;
    response.status = 302;
    response.headers = {{"Location", "/-/"}};
    return http::AnswerAtOnce(std::move(response));
  }
};

// Before anything is started, so that all of it is in the service's group.
void LimitJobs() {
  const os::GroupSupport groups = os::SetUpGroups();
  const int ended = groups.folder.empty() ? 0 : os::EndAbandonedGroups(groups.folder);
  if (ended > 0) LogInfo("removed {} control groups of jobs whose agents were killed", ended);
  if (groups.reason.empty()) {
    LogInfo("jobs get limits of memory, processes and processors below {}", groups.folder);
  } else {
    LogInfo("jobs get {}: {}",
            groups.controllers.empty()
                ? "no limits of memory, processes and processors"
                : fmt::format("limits of {} only", fmt::join(groups.controllers, ", ")),
            groups.reason);
  }
}

std::string JobsText(size_t count) { return fmt::format("{} job{}", count, count == 1 ? "" : "s"); }

}  // namespace

// In the order in which they are made: each uses those before it, and goes before them.
struct Daemon::Parts {
  explicit Parts(service::DataFolder held) : folder(std::move(held)) {}
  ~Parts() {
    if (!service_file.empty()) client::RemoveServiceFile(service_file, getpid());
    if (server) server->Stop();
  }

  Status OpenStore();
  void TellRecovery(const jobs::Recovery& recovery);
  Status Open();
  Status Listen();
  void TellCommands(const client::Environment& environment);
  void Warn();

  service::DataFolder folder;
  service::ServiceOptions options;
  std::unique_ptr<auth::Authenticator> authenticator;
  std::unique_ptr<jobs::JobStore> store;
  std::unique_ptr<jobs::Launcher> launcher;
  std::unique_ptr<jobs::EventDelivery> delivery;
  std::unique_ptr<jobs::Supervisor> supervisor;
  std::unique_ptr<http::Handler> api, s3, exec, events, dashboard;
  std::unique_ptr<http::Handler> health = std::make_unique<HealthHandler>();
  std::unique_ptr<http::Handler> front_door = std::make_unique<FrontDoor>();
  std::unique_ptr<http::Handler> router;
  std::unique_ptr<http::Server> server;
  std::string service_file;
  std::vector<std::string> warnings;
};

Status Daemon::Parts::OpenStore() {
  const service::DataLayout layout(options.data);
  const bool missing = access(layout.Database().c_str(), F_OK) != 0;
  if (options.recover) {
    const auto recovery = jobs::RecoverJobs(layout.Database(), layout.Jobs());
    if (!recovery.ok()) return recovery.status();
    TellRecovery(recovery.value());
  } else if (const size_t copies = missing ? jobs::CountCopies(layout.Jobs()) : 0; copies > 0) {
    warnings.push_back(
        fmt::format("{} was missing, but records of {} are in {}; 'warden serve --recover' lists "
                    "them again",
                    layout.Database(), JobsText(copies), layout.Jobs()));
  }
  auto jobs = jobs::OpenJobStore(layout.Database());
  if (jobs.status().code() == Code::kCorrupt) {
    return Status(Code::kCorrupt,
                  fmt::format("{}; if it is damaged, restore a copy that 'warden backup' made, or "
                              "rebuild it from the folders of the jobs with 'warden serve "
                              "--recover'",
                              jobs.status().message()));
  }
  if (!jobs.ok()) return jobs.status();
  store = std::move(jobs.value());
  return Status();
}

void Daemon::Parts::TellRecovery(const jobs::Recovery& recovery) {
  std::string text = "recovered " + JobsText(recovery.jobs);
  if (!recovery.damaged.empty()) {
    text += fmt::format("; the damaged database is now {}", recovery.damaged);
  }
  if (!recovery.skipped.empty()) {
    text += fmt::format("; no record was found of: {}", fmt::join(recovery.skipped, ", "));
  }
  warnings.push_back(std::move(text));
}

Status Daemon::Parts::Open() {
  auto keys = auth::OpenAuthenticator(options);
  if (!keys.ok()) return keys.status();
  authenticator = std::move(keys.value());
  if (Status status = OpenStore(); !status.ok()) return status;
  const bool on_slurm = options.launcher == service::ServiceOptions::Launcher::kSlurm;
  auto made = on_slurm ? jobs::MakeSlurmLauncher(options) : jobs::MakeLocalLauncher(options);
  if (!made.ok()) return made.status();
  launcher = std::move(made.value());
  // They ask the store to be told of events, which must be before anybody else uses the store.
  events = jobs::MakeLiveEvents(store.get(), authenticator.get());
  auto receivers = jobs::OpenDelivery(options, store.get());
  if (!receivers.ok()) return receivers.status();
  delivery = std::move(receivers.value());
  auto started = jobs::StartSupervisor(options, store.get(), launcher.get());
  if (!started.ok()) return started.status();
  supervisor = std::move(started.value());
  const sagemaker::ApiParts parts{&options, authenticator.get(), store.get(), launcher.get(),
                                  supervisor.get()};
  api = sagemaker::MakeApi(parts);
  s3 = s3::MakeS3(&options, authenticator.get());
  exec = jobs::MakeExec(&options, authenticator.get(), store.get());
  auto token = auth::TokenOf(service::DataLayout(options.data).Token());
  if (!token.ok()) return token.status();
  dashboard = dashboard::MakeDashboard(
      parts, dashboard::Sessions(authenticator.get(), std::move(token.value()),
                                 {.file = service::DataLayout(options.data).Sessions()}));
  return Status();
}

Status Daemon::Parts::Listen() {
  const auto is_ours = [](const http::RequestHead& head) { return head.path.starts_with("/-/"); };
  router = http::MakeRouter({{{http::ForPath("/-/health"), health.get()},
                              {http::ForPath("/-/events"), events.get()},
                              {http::ForPath("/-/exec"), exec.get()},
                              {is_ours, dashboard.get()},
                              {dashboard::WantsDashboard, front_door.get()},
                              {http::IsApiCall, api.get()},
                              {sagemaker::IsCloudWatchCall, api.get()}},
                             s3.get()});
  http::ServerOptions listening;
  listening.listen = options.listen;
  listening.tls_certificate = options.tls_certificate;
  listening.tls_key = options.tls_key;
  auto started = http::Server::Start(listening, router.get());
  if (!started.ok()) return started.status();
  server = std::move(started.value());
  // Commands get the port that was chosen.
  delivery->Start(server->address());
  return Status();
}

void Daemon::Parts::TellCommands(const client::Environment& environment) {
  const std::string path = client::ServiceFilePath(environment);
  if (path.empty()) return;
  const Status status =
      client::WriteServiceFile(path, {server->address(), service::DataLayout(options.data).Token(),
                                      options.tls_certificate, static_cast<int64_t>(getpid())});
  if (status.ok()) {
    service_file = path;
  } else {
    LogWarning("'warden jobs' cannot find this service automatically: {}", status.message());
  }
}

void Daemon::Parts::Warn() {
  if (std::string warning = launcher->Warning(); !warning.empty()) {
    warnings.push_back(std::move(warning));
  }
  const auto url = net::ParseUrl(server->address(), kSchemes);
  if (options.tls_certificate.empty() && url.ok() && !net::IsLoopback(url.value())) {
    warnings.push_back(
        fmt::format("{} is reachable from other machines without encryption: tokens, code and data "
                    "can be intercepted; set --tls-cert and --tls-key, or listen on 127.0.0.1",
                    server->address()));
  }
  if (!dashboard::HasDashboardPages()) {
    warnings.push_back(
        "this build has no dashboard pages; the API and 'warden jobs' work. To get the pages, "
        "install a released package, or install Node.js and build with -DWARDEN_WEB=ON");
  }
}

Daemon::Daemon(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Daemon::~Daemon() = default;

Result<std::unique_ptr<Daemon>> Daemon::Start(const service::ServiceOptions& options,
                                              const client::Environment& environment) {
  if (options.tls_certificate.empty() != options.tls_key.empty()) {
    return Status(Code::kInvalid,
                  "got only a TLS certificate or only a TLS key; expected both or neither");
  }
  storage::SurviveShortenedFiles();
  os::ReturnFreedMemory();
  os::RaiseOpenFilesLimit(kMostFiles);
  auto folder = service::DataFolder::Hold(options.data);
  if (!folder.ok()) return folder.status();
  LimitJobs();
  auto parts = std::make_unique<Parts>(std::move(folder.value()));
  parts->options = options;
  if (Status status = parts->Open(); !status.ok()) return status;
  if (Status status = parts->Listen(); !status.ok()) return status;
  parts->TellCommands(environment);
  parts->Warn();
  return std::unique_ptr<Daemon>(new Daemon(std::move(parts)));
}

const std::string& Daemon::address() const { return parts_->server->address(); }

const std::vector<std::string>& Daemon::warnings() const { return parts_->warnings; }

size_t Daemon::UnfinishedJobs() const {
  const auto jobs = parts_->store->Unfinished();
  return jobs.ok() ? jobs.value().size() : 0;
}

}  // namespace warden::daemon
