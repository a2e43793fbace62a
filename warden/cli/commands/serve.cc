#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/browser.h"
#include "warden/cli/launch/interrupt.h"
#include "warden/cli/launch/python_site.h"
#include "warden/cli/serve/shell_word.h"
#include "warden/cli/text.h"
#include "warden/daemon/daemon.h"
#include "warden/daemon/viewer.h"
#include "warden/os/secret.h"
#include "warden/rules/custom/find_python.h"
#include "warden/service/data_folder.h"
#include "warden/service/options.h"
#include "warden/storage/s3/run_mirror.h"
#include "warden/storage/store.h"
#include "warden/watch/local/local_jobs.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

struct ServeOptions {
  service::ServiceOptions service;
  std::string jobs_at_once;
  std::string stop_grace;
  std::string isolation = "auto";
  std::string launcher = "local";
  bool open = false;
  bool json = false;
};

constexpr size_t kSlurmJobsAtOnce = 1000;

const char* Variable(const char* name) { return std::getenv(name); }

// The value of a flag; nothing if it was not given.
Result<std::optional<int64_t>> Number(const char* flag, const std::string& text, int64_t least,
                                      int64_t most) {
  if (text.empty()) return std::optional<int64_t>();
  const auto number = ParseInt(text);
  if (number && *number >= least && *number <= most) return number;
  return Status(Code::kInvalid, fmt::format("{} is '{}'; expected an integer from {} to {}", flag,
                                            text, least, most));
}

// The environment that the service was started from, or the one that it was built with.
std::string PythonForJobs(const std::string& program) {
  const char* active = Variable("VIRTUAL_ENV");
  const std::string own = active == nullptr ? "" : std::string(active) + "/bin/python3";
  if (own.starts_with('/') && access(own.c_str(), X_OK) == 0) return own;
  const auto found = rules::FindPython(program);
  return found.ok() ? found.value() : "python3";
}

Result<service::ServiceOptions> Complete(const ServeOptions& options) {
  service::ServiceOptions complete = options.service;
  if (complete.data.empty()) {
    const auto folder = service::StandardDataFolder();
    if (!folder.ok()) return folder.status();
    complete.data = folder.value();
  }
  complete.runs_in_s3 = complete.runs;
  std::erase_if(complete.runs, storage::IsRemote);
  std::erase_if(complete.runs_in_s3, std::not_fn(storage::IsRemote));
  for (const std::string& place : complete.runs_in_s3) {
    const auto opened = storage::OpenStore(place);
    if (!opened.ok()) return opened.status().WithContext("--runs");
  }
  if (!complete.runs_in_s3.empty()) {
    const auto bound = storage::s3::RunMirror::BoundFrom();
    if (!bound.ok()) return bound.status();
  }
  for (std::string& folder : complete.runs) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
      return Status(Code::kInvalid, fmt::format("--runs: no such folder: {}", folder));
    }
    folder = fs::canonical(folder, error).string();
  }
  for (std::string* path :
       {&complete.data, &complete.credentials, &complete.tls_certificate, &complete.tls_key,
        &complete.environments, &complete.events, &complete.actions_file, &complete.slurm_config}) {
    if (!path->empty()) *path = fs::absolute(*path).lexically_normal().string();
  }
  for (std::string& folder : complete.shared_folders) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
      return Status(Code::kInvalid, fmt::format("--share: no such folder: {}", folder));
    }
    folder = fs::canonical(folder, error).string();
  }
  using Isolation = service::ServiceOptions::Isolation;
  if (options.isolation == "required") complete.isolation = Isolation::kRequired;
  if (options.isolation == "off") complete.isolation = Isolation::kOff;
  while (complete.data.size() > 1 && complete.data.ends_with('/')) complete.data.pop_back();
  if (options.launcher == "slurm") {
    complete.launcher = service::ServiceOptions::Launcher::kSlurm;
    // Slurm has the queue.
    complete.jobs_at_once = kSlurmJobsAtOnce;
  } else if (!complete.slurm_config.empty()) {
    return Status(Code::kInvalid, "--slurm-config needs --launcher slurm");
  }
  const auto jobs = Number("--jobs-at-once", options.jobs_at_once, 1, 10'000);
  if (!jobs.ok()) return jobs.status();
  if (jobs.value()) complete.jobs_at_once = static_cast<size_t>(*jobs.value());
  const auto grace = Number("--stop-grace", options.stop_grace, 0, 86'400);
  if (!grace.ok()) return grace.status();
  if (grace.value()) complete.stop_grace = std::chrono::seconds(*grace.value());
  const bool digits = complete.account.find_first_not_of("0123456789") == std::string::npos;
  if (complete.account.size() != 12 || !digits) {
    return Status(Code::kInvalid,
                  fmt::format("--account is '{}'; expected 12 digits", complete.account));
  }
  complete.local_runs = watch::LocalJobs::ForDashboard(complete.stop_grace);
  complete.program = OwnProgram();
  if (complete.python.empty()) complete.python = PythonForJobs(complete.program);
  complete.python_site = FindPythonSite(complete.program).value_or("");
  return complete;
}

// Where keys are, never what they are.
std::string CredentialsOf(const service::ServiceOptions& options) {
  return options.credentials.empty() ? service::DataLayout(options.data).Credentials()
                                     : options.credentials;
}

// The dashboard's address with the token in its fragment, which browsers do not send; empty without
// a token.
std::string LinkTo(const service::ServiceOptions& options, const std::string& address) {
  const auto token = os::ReadSecretFile(service::DataLayout(options.data).Token());
  return token.ok() ? daemon::DashboardLink(address, token.value().Reveal(), "") : "";
}

void PrintText(const service::ServiceOptions& options, const std::string& address, Output* out) {
  const char* how = options.read_only ? ", read-only" : "";
  out->Print("{}\n", Styled("Serving at " + address + how, Style::kBold, out->terminal()));
  // Only on a terminal: a token must not end up in a log.
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  out->Print("\nDashboard:  {}\n\n",
             is_terminal ? LinkTo(options, address) : address + "/-/ (requires the token)");
  out->Print(
      "  data   {}\n  keys   {}\n  token  {}\n  python {} (for jobs; --python changes it)\n\n",
      Printable(options.data), Printable(CredentialsOf(options)),
      Printable(service::DataLayout(options.data).Token()), Printable(options.python));
  out->Print(
      "For boto3, the SageMaker SDK and the aws CLI (2.13 or later):\n\n"
      "  export AWS_ENDPOINT_URL={} AWS_SHARED_CREDENTIALS_FILE={} AWS_DEFAULT_REGION={}\n",
      address, QuotedForShell(CredentialsOf(options)), QuotedForShell(options.region));
  if (!options.tls_certificate.empty()) {
    out->Print("  export AWS_CA_BUNDLE={}\n", QuotedForShell(options.tls_certificate));
  }
  out->Write(
      "\nor, with sagemaker.get_execution_role() and Session().default_bucket() as well:\n\n"
      "  eval \"$(warden env)\"\n");
  out->Write("\nPress Ctrl-C to stop the server. Running jobs continue.\n");
}

void PrintStart(const ServeOptions& flags, const service::ServiceOptions& options,
                const daemon::Daemon& daemon, Output* out) {
  if (flags.json) {
    out->PrintJson({{"endpoint", daemon.address()},
                    {"dashboard", daemon.address() + "/-/"},
                    {"data", options.data},
                    {"credentials", CredentialsOf(options)},
                    {"token_file", service::DataLayout(options.data).Token()},
                    {"python", options.python},
                    {"region", options.region},
                    {"account", options.account},
                    {"read_only", options.read_only},
                    {"warnings", daemon.warnings()}});
  } else {
    PrintText(options, daemon.address(), out);
  }
  (void)out->Flush();
  for (const std::string& warning : daemon.warnings()) out->Tell("WARNING: " + warning);
}

Result<int> Serve(const ServeOptions& flags, Output* out) {
  const auto options = Complete(flags);
  if (!options.ok()) return options.status();
  CatchInterrupts();
  const auto daemon = daemon::Daemon::Start(options.value(), Variable);
  if (!daemon.ok()) return daemon.status();
  PrintStart(flags, options.value(), *daemon.value(), out);
  if (flags.open) {
    const Status opened = OpenInBrowser(LinkTo(options.value(), daemon.value()->address()));
    if (!opened.ok()) out->Tell(opened.message());
  }
  while (!Interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  if (const size_t jobs = daemon.value()->UnfinishedJobs(); jobs > 0) {
    out->Tell(
        fmt::format("{} still running; the next 'warden serve' with this data folder will manage "
                    "{} again",
                    CountOf(jobs, "job"), jobs == 1 ? "it" : "them"));
  }
  return kDone;
}

void DefineServe(Command* command) {
  auto options = std::make_shared<ServeOptions>();
  service::ServiceOptions* service = &options->service;
  command->Text("--data", &service->data, "Data folder (default: ~/.local/share/tensorwarden)");
  command->Texts("--runs", &service->runs,
                 "Folder with runs to show in the dashboard, or s3://bucket/folder; may be\n"
                 "repeated");
  command->Switch("--open", &options->open, "Open the dashboard in a browser");
  command->Switch("--read-only", &service->read_only,
                  "Show everything and change nothing: jobs, objects and settings cannot be\n"
                  "changed, whatever the key");
  command->Text("--listen", &service->listen, "Address and port; port 0: any free port");
  command->Texts("--host-name", &service->host_names,
                 "Another name by which browsers reach this machine; may be repeated");
  command->Text("--credentials", &service->credentials,
                "File with access keys, like ~/.aws/credentials (default: generated in the data\n"
                "folder)");
  command->Text("--tls-cert", &service->tls_certificate, "TLS certificate (PEM)");
  command->Text("--tls-key", &service->tls_key, "Private key of the certificate (PEM)");
  command->Needs("--tls-cert", "--tls-key");
  command->Needs("--tls-key", "--tls-cert");
  command->Text("--account", &service->account, "Account number for keys without one");
  command->Text("--region", &service->region, "Region for requests without one");
  service->python.clear();  // What was not given is chosen later.
  command->Text("--python", &service->python,
                "Python for jobs whose image has no environment (default: the active virtual\n"
                "environment's, or the one that has tensorwarden)");
  command->Choice(
      "--isolation", &options->isolation, {"auto", "required", "off"},
      "Run each job in its own namespaces, where it has /opt/ml and sees neither other\n"
      "jobs nor the files of the service: where possible (auto), always, or never");
  command->Switch("--jobs-as-root", &service->jobs_as_root,
                  "Run jobs as root if the service is root, and not each as a separate user:\n"
                  "whoever may create jobs then controls this machine");
  command->Texts("--share", &service->shared_folders,
                 "Folder that all jobs may read and write; may be repeated");
  command->Text("--environments", &service->environments,
                "File that maps images to environments (default: environments.json in the data\n"
                "folder)");
  command->Choice("--launcher", &options->launcher, {"local", "slurm"},
                  "Run jobs on this machine, or on the Slurm cluster that it belongs to");
  command->Text("--slurm-config", &service->slurm_config,
                "File that maps instance types to partitions (default: slurm.json in the data\n"
                "folder)");
  command->Text("--events", &service->events,
                "File with event targets (default: events.json in the data folder)");
  command->Text("--actions-file", &service->actions_file,
                "JSON file with the delivery settings: mail server, SMS account, ...");
  command->Text("--jobs-at-once", &options->jobs_at_once,
                "Maximum concurrent jobs (default: 16; with\nSlurm: 1000)");
  command->Text("--stop-grace", &options->stop_grace,
                "Seconds between asking a job to stop and killing it (default: 120)");
  command->Switch("--recover", &service->recover,
                  "Rebuild a damaged or deleted database of jobs from the jobs' folders");
  command->Switch("--json", &options->json, "Print the address and key locations as JSON");
  command->Footer(
      "Runs training jobs for boto3, the aws CLI, the SageMaker SDK and 'warden jobs', and\n"
      "checks each with rules. The dashboard shows these jobs and the runs of 'warden run'.\n"
      "Jobs continue when the server stops, even after kill -9; the next 'warden serve' with\n"
      "the same data folder manages them again.\n\n"
      "Examples:\n"
      "  warden serve\n"
      "  warden serve --runs warden-runs --open\n"
      "  warden serve --runs warden-runs --read-only\n"
      "  warden serve --runs warden-runs --runs s3://team-runs/mnist\n"
      "  warden serve --data /srv/warden --listen 0.0.0.0:8443 --tls-cert c.pem --tls-key k.pem");
  command->Runs(options, Serve);
}

}  // namespace

CommandEntry ServeJobs() {
  return {"serve", "Start the dashboard and a local SageMaker-compatible service", DefineServe};
}

}  // namespace warden::cli
