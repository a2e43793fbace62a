// warden tensorboard: TensorBoard on the data of runs and jobs.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/child.h"
#include "warden/cli/launch/environment.h"
#include "warden/cli/launch/find_tensorboard.h"
#include "warden/cli/run.h"
#include "warden/cli/serve/job_text.h"
#include "warden/cli/serve/service_call.h"
#include "warden/cli/text.h"
#include "warden/os/pause.h"
#include "warden/os/posix.h"
#include "warden/s3/object_path.h"
#include "warden/service/options.h"
#include "warden/trial/scalar_copy.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kRefreshEvery{1000};
constexpr char kRunsFolder[] = "warden-runs";  // Where `warden run` saves by default.

struct TensorBoardOptions {
  client::EndpointFlags service;
  std::vector<std::string> names;
  std::string host = "localhost";
  std::string port;  // Empty: TensorBoard chooses.
  std::vector<std::string> words;
};

// What TensorBoard shows under one name.
struct Source {
  std::string name;
  std::string events;      // Folder of TensorBoard files; empty: they are made from the run.
  std::optional<Run> run;  // Only to make them.
};

// A folder that is removed with all that is in it.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  static Result<std::unique_ptr<TemporaryFolder>> Make() {
    std::error_code error;
    std::string path = (fs::temp_directory_path(error) / "warden-tensorboard-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) return os::IoError("create", path, errno);
    return std::make_unique<TemporaryFolder>(path);
  }
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

// Whether TensorBoard finds files in the folder or below it.
bool HasEventFiles(const std::string& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().filename().string().find("tfevents") != std::string::npos) return true;
  }
  return false;
}

std::string NameOfFolder(const std::string& folder) {
  std::error_code error;
  fs::path path = fs::absolute(folder, error).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  return path.filename().empty() ? "run" : path.filename().string();
}

// A run, or a folder of TensorBoard files.
Result<Source> SourceInFolder(const std::string& folder) {
  const std::string exported = folder + "/tensorboard";
  if (HasEventFiles(exported)) return Source{NameOfFolder(folder), exported, {}};
  auto run = OpenRun(folder);
  if (run.ok()) return Source{NameOfFolder(folder), "", std::move(run.value())};
  // Below the folder of several runs there are their own files, which are not for TensorBoard.
  const bool of_others = run.status().code() == Code::kNotFound &&
                         run.status().message().find("found runs in") == std::string::npos;
  if (of_others && HasEventFiles(folder)) return Source{NameOfFolder(folder), folder, {}};
  return run.status();
}

// The folder on this machine that "s3://..." of the service names.
Result<std::string> LocalFolder(const std::string& place, const std::string& data) {
  constexpr std::string_view kFile = "file://";
  if (place.starts_with(kFile)) return place.substr(kFile.size());
  const auto name = s3::ParseS3Uri(place);
  if (!name.ok()) return name.status();
  return s3::PathOfObject(service::DataLayout(data).Objects(), name.value());
}

// The data folder of the service, which must be on this machine.
Result<std::string> DataOf(const client::Endpoint& endpoint, const std::string& job) {
  const auto notice = client::ReadServiceFile(
      client::ServiceFilePath([](const char* name) { return std::getenv(name); }));
  if (notice.ok() && notice.value().url == endpoint.url) {
    return fs::path(notice.value().token_file).parent_path().string();
  }
  return Status(Code::kUnavailable,
                fmt::format("the files of job {} are on the machine of the service at {}; run this "
                            "command there, as the user of the service",
                            job, endpoint.url));
}

Result<Source> SourceOfJob(const std::string& name, ServiceCall* service) {
  const auto job = service->Describe(name);
  if (!job.ok()) return job.status();
  const auto data = DataOf(service->endpoint(), name);
  if (!data.ok()) return data.status();
  const std::string exported =
      JobOutputOf(job.value(), "TensorBoardOutputConfig", "tensorboard-output");
  if (!exported.empty()) {
    auto folder = LocalFolder(exported, data.value());
    if (!folder.ok()) return folder.status();
    if (HasEventFiles(folder.value())) return Source{name, folder.value(), {}};
  }
  const std::string saved = JobOutputOf(job.value(), "DebugHookConfig", "debug-output");
  if (saved.empty()) {
    return Status(Code::kNotFound,
                  fmt::format("job {} has no TensorBoard files and saves no tensors: it has no "
                              "DebugHookConfig",
                              name));
  }
  const auto folder = LocalFolder(saved, data.value());
  if (!folder.ok()) return folder.status();
  auto run = OpenRun(folder.value());
  if (run.ok()) return Source{name, "", std::move(run.value())};
  const bool over = IsOver(TextIn(job.value(), "TrainingJobStatus"));
  return Status(Code::kNotFound, fmt::format("job {} has saved nothing{}: {}", name,
                                             over ? "" : " yet", run.status().message()));
}

// A folder, a run of `warden run` in this folder, or a job.
Result<Source> SourceOf(const std::string& name, const client::EndpointFlags& flags, Output* out) {
  std::error_code error;
  if (fs::is_directory(name, error)) return SourceInFolder(name);
  const bool is_path = name.find('/') != std::string::npos;
  const std::string saved = fmt::format("{}/{}", kRunsFolder, name);
  if (!is_path && fs::is_directory(saved, error)) return SourceInFolder(saved);
  if (is_path) return Status(Code::kNotFound, fmt::format("no such folder: {}", name));
  auto service = ServiceCall::Open(flags, out);
  if (!service.ok()) {
    return Status(Code::kNotFound,
                  fmt::format("no folder {} or {}, and no service to ask for a job of this name: "
                              "{}",
                              name, saved, service.status().message()));
  }
  return SourceOfJob(name, &service.value());
}

// Distinct names, in the order given.
void MakeNamesDistinct(std::vector<Source>* sources) {
  std::set<std::string> taken;
  for (Source& source : *sources) {
    const std::string name = source.name;
    for (int i = 2; !taken.insert(source.name).second; ++i) {
      source.name = fmt::format("{}-{}", name, i);
    }
  }
}

// Links the files of each source into the folder. Nothing is copied here.
Status LinkSources(const std::vector<Source>& sources, const std::string& folder) {
  for (const Source& source : sources) {
    if (source.run) continue;
    std::error_code error;
    const fs::path to = fs::absolute(source.events, error).lexically_normal();
    fs::create_directory_symlink(to, fs::path(folder) / source.name, error);
    if (error) return os::IoError("link", folder + "/" + source.name, error.value());
  }
  return Status();
}

// Makes files of the scalars of runs that have none, and follows runs that are still growing.
class Copier {
 public:
  Copier(std::vector<Source>* sources, const std::string& folder) {
    for (Source& source : *sources) {
      if (!source.run) continue;
      copies_.push_back({source.run->trial.get(),
                         trial::ScalarCopy(source.run->store, source.run->trial.get(),
                                           folder + "/" + source.name),
                         source.name});
    }
  }
  bool empty() const { return copies_.empty(); }

  void Run(const std::stop_token& leave) {
    do {
      std::erase_if(copies_, [](Copy& copy) { return IsFinished(&copy); });
    } while (!copies_.empty() && os::PauseFor(kRefreshEvery, leave));
  }

 private:
  struct Copy {
    trial::Trial* trial;
    trial::ScalarCopy scalars;
    std::string name;
  };

  static bool IsFinished(Copy* copy) {
    const auto progress = copy->trial->Refresh();
    const auto points = copy->scalars.Update();
    const Status status = progress.ok() ? points.status() : progress.status();
    if (status.ok()) return progress.value().ended;
    LogError("{} is not refreshed any more: {}", copy->name, status.message());
    return true;
  }

  std::list<Copy> copies_;
};

Result<int> ShowInTensorBoard(const TensorBoardOptions& options, Output* out) {
  const auto port = ParseInt(options.port.empty() ? "0" : options.port);
  if (!port || *port < 0 || *port > 65535) {
    return Status(Code::kInvalid,
                  fmt::format("--port is '{}'; expected a number from 0 (any free port) to 65535",
                              options.port));
  }
  const auto tensorboard = FindTensorBoard();
  if (!tensorboard.ok()) return tensorboard.status();
  std::vector<Source> sources;
  for (const std::string& name : options.names) {
    auto source = SourceOf(name, options.service, out);
    if (!source.ok()) return source.status();
    sources.push_back(std::move(source.value()));
  }
  MakeNamesDistinct(&sources);
  const auto folder = TemporaryFolder::Make();
  if (!folder.ok()) return folder.status();
  const std::string& path = folder.value()->path();
  if (Status status = LinkSources(sources, path); !status.ok()) return status;
  Copier copier(&sources, path);
  for (const Source& source : sources) {
    out->Tell(fmt::format("{}: {}", Printable(source.name),
                          source.run ? "scalars of " + Printable(source.run->trial->location())
                                     : Printable(source.events)));
  }

  ChildOptions child;
  child.program = tensorboard.value().program;
  child.words = tensorboard.value().words;
  child.words.insert(child.words.end(), {"--logdir", path, "--host", options.host});
  if (!options.port.empty()) child.words.insert(child.words.end(), {"--port", options.port});
  child.words.insert(child.words.end(), options.words.begin(), options.words.end());
  child.environment = EnvironmentWith({});
  // Ended before the folder is removed.
  Result<Ending> ending = Ending{};
  {
    std::jthread refresh;
    child.started = [&](pid_t) {
      if (!copier.empty()) {
        refresh = std::jthread([&](const std::stop_token& leave) { copier.Run(leave); });
      }
    };
    ending = RunChild(child);
  }
  if (!ending.ok()) return ending.status();
  if (ending.value().signal == 0) return ending.value().exit_code;
  std::error_code ignored;
  fs::remove_all(path, ignored);
  DieBySignal(ending.value().signal);
}

void DefineTensorBoard(Command* command) {
  auto options = std::make_shared<TensorBoardOptions>();
  command->Positionals("RUN", &options->names,
                       "Folders of runs, runs in warden-runs/ by name, or names of jobs");
  command->Text("--host", &options->host, "Address to listen on (default: localhost)");
  command->Text("--port", &options->port,
                "Port to listen on; 0: any free one (default: 6006, or the next that is free)");
  command->OtherProgram(&options->words);
  DefineServiceFlags(command, &options->service);
  command->Footer(
      "Starts the TensorBoard that is installed on this machine. It shows the TensorBoard files "
      "of\n"
      "each run or job ('warden run --tensorboard', TensorBoardOutputConfig); where there are "
      "none,\n"
      "the saved scalars, refreshed while the training runs. Words after '--' are options of\n"
      "TensorBoard. Exit code: that of TensorBoard; 1 if it is not installed.\n\n"
      "Examples:\n"
      "  warden tensorboard warden-runs/train-20260101T120000Z\n"
      "  warden tensorboard baseline-job new-job --port 6007\n"
      "  warden tensorboard runs/a -- --samples_per_plugin scalars=0");
  command->Runs(options, ShowInTensorBoard);
}

}  // namespace

CommandEntry TensorBoard() {
  return {"tensorboard", "Open runs or jobs in TensorBoard", DefineTensorBoard, true};
}

}  // namespace warden::cli
