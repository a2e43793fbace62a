#include "warden/jobs/launch/isolation.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/jobs/launch/hidden_places.h"
#include "warden/jobs/launch/job_user.h"
#include "warden/jobs/launch/script_mode.h"
#include "warden/jobs/launch/start_program.h"
#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"
#include "warden/os/run_command.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

constexpr char kOpt[] = "/opt";
constexpr char kOptMl[] = "/opt/ml";
// More than any training has; fewer than a machine can take.
constexpr uint64_t kMostProcessesInBox = 16'384;
// Those below /opt/ml that the job may do anything with. The folders above them stay ours, so that
// no path that we use ourselves leads elsewhere.
constexpr const char* kJobsOwn[] = {"code",           "input/data",      "model",
                                    "output/data",    "output/metrics",  "output/intermediate",
                                    "output/tensors", "output/profiler", "output/tensorboard",
                                    "checkpoints"};
constexpr const char* kSkeleton[] = {"", "input", "output"};

bool WantsNoNetwork(const TrainingJob& job) {
  return IsTrue(MemberOf(job.request, "EnableNetworkIsolation"));
}

// The hosts of the job are all this machine.
std::string HostsFile(const TrainingJob& job) {
  std::string text = os::ReadWholeFile("/etc/hosts").value_or("127.0.0.1 localhost\n");
  if (!text.ends_with('\n')) text += '\n';
  return text + fmt::format("127.0.0.1 {}\n", fmt::join(job.Hosts(), " "));
}

// Libraries ask who they are.
std::string WithUser(const char* file, const std::string& line) {
  std::string text = os::ReadWholeFile(file).value_or("");
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text + line + "\n";
}

Status MakeFolderIn(const std::string& folder, const std::string& part) {
  const os::UniqueFd root(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.ok()) return os::IoError("open", folder, errno);
  return os::MakeFolderBeneath(root.get(), part).status();
}

// Written again whenever a host is prepared: a crash may take it.
Status WriteFresh(const std::string& path, const std::string& text) {
  const os::UniqueFd file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file.ok()) return os::IoError("create", path, errno);
  if (write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      fchmod(file.get(), 0644) != 0) {
    return os::IoError("write", path, errno);
  }
  return Status();
}

// Entries of /opt as they are, beside /opt/ml.
void ShowOptMl(const std::string& files, os::Box* box) {
  box->shown.push_back({files, kOptMl, "", true});
  if (os::PathExists(kOptMl)) return;
  box->hidden.emplace_back(kOpt);
  std::error_code error;
  for (fs::directory_iterator at(kOpt, error), end; !error && at != end; at.increment(error)) {
    const std::string path = at->path();
    if (os::PathExists(path)) box->shown.push_back({path, path, "", false});
  }
}

// CUDA makes its device when it is first used, by a program that has root's rights. In a box no
// program has them, so the device must be there before.
void MakeGpuDevices() {
  if (!os::PathExists("/dev/nvidiactl") || os::PathExists("/dev/nvidia-uvm")) return;
  const std::string program = ProgramOnPath("nvidia-modprobe");
  if (program.empty()) return;
  os::CommandLine command;
  command.words = {program, "-u", "-c=0"};
  command.timeout = std::chrono::seconds(10);
  const Status status = os::RunCommand(command, "", {});
  if (!status.ok()) LogWarning("jobs may not find the GPUs: {}", status.message());
}

}  // namespace

Isolation::Isolation(service::ServiceOptions options)
    : options_(std::move(options)), layout_(options_.data) {
  if (options_.isolation == service::ServiceOptions::Isolation::kOff) {
    probe_.reason = "turned off (--isolation off)";
  } else {
    probe_ = os::ProbeBox();
    if (on()) MakeGpuDevices();
  }
}

std::string Isolation::Notice(const TrainingJob& job) const {
  if (!on()) {
    return fmt::format(
        "Tensorwarden: this job is not isolated from other jobs and has no /opt/ml: {}{}",
        probe_.reason, WantsNoNetwork(job) ? "; EnableNetworkIsolation has no effect" : "");
  }
  if (!os::PathExists(kOpt)) return "Tensorwarden: this job has no /opt/ml: the system has no /opt";
  return "";
}

std::string Isolation::Warning() const {
  const bool root = geteuid() == 0;
  if (root && (!on() || options_.jobs_as_root)) {
    return fmt::format(
        "this service and its jobs run as root: anyone with a key controls this machine; {}",
        on() ? "start it without --jobs-as-root" : "run the service as a dedicated user");
  }
  if (on()) return "";
  return fmt::format(
      "jobs are not isolated: each can read the data of others and the keys of this "
      "service: {}",
      probe_.reason);
}

Status Isolation::Check(const TrainingJob& job) const {
  if (!on() && options_.isolation == service::ServiceOptions::Isolation::kRequired) {
    return Status(Code::kInvalid,
                  fmt::format("jobs cannot be isolated on this machine ({}), and the service was "
                              "started with --isolation required",
                              probe_.reason));
  }
  if (on() && WantsNoNetwork(job) && job.Hosts().size() > 1) {
    return Status(Code::kInvalid,
                  fmt::format("EnableNetworkIsolation with {} hosts is not supported; expected "
                              "1 host or EnableNetworkIsolation false",
                              job.Hosts().size()));
  }
  return Status();
}

Result<std::optional<uid_t>> Isolation::UserOf(const TrainingJob& job) {
  if (probe_.support != os::BoxSupport::kAsRoot || options_.jobs_as_root) {
    return std::optional<uid_t>();
  }
  const std::lock_guard lock(mutex_);
  const auto user = UserOfJob(layout_.Job(job.name), options_.data + "/next_user");
  if (!user.ok()) return user.status();
  return std::optional<uid_t>(user.value());
}

Status Isolation::Prepare(const HostToIsolate& host) {
  if (!on()) return Status();
  const auto user = UserOf(host.job);
  if (!user.ok()) return user.status();
  const std::string& agent = host.layout.agent();
  for (const char* folder : {"tmp/home", "etc"}) {
    if (Status status = MakeFolderIn(agent, folder); !status.ok()) return status;
  }
  Status status = WriteFresh(agent + "/etc/hosts", HostsFile(host.job));
  if (status.ok()) status = ShareFolder(agent, "tmp");
  if (!status.ok() || !user.value()) return status;
  const uid_t id = *user.value();
  status = WriteFresh(agent + "/etc/passwd",
                      WithUser("/etc/passwd", fmt::format("job:x:{0}:{0}::/tmp/home:/bin/sh", id)));
  if (status.ok()) {
    status = WriteFresh(agent + "/etc/group", WithUser("/etc/group", fmt::format("job:x:{}:", id)));
  }
  if (status.ok()) status = GiveTo(id, agent, "tmp/home");
  const auto give = [&](const std::string& root, const std::string& part) {
    if (!status.ok()) return;
    status = GiveTo(id, root, part);
    // A link into a bucket, or a folder that this job does not have.
    if (status.code() == Code::kNotFound) status = Status();
  };
  for (const char* part : kJobsOwn) give(agent + kOptMl, part);
  give(agent, "other");
  for (const OutputFolder& output : host.outputs) {
    const std::string part = output.target.substr(output.objects.size() + 1);
    if (output.kind != "ProfilerConfig") {
      give(output.objects, part);
      continue;
    }
    // The agent, which is root, writes there too.
    if (status.ok()) status = MakeFolderIn(output.objects, part + "/system/incremental");
    if (status.ok()) status = ShareFolder(output.objects, part);
  }
  for (const char* part : kSkeleton) {
    if (status.ok()) status = ShareFolder(agent + kOptMl, part);
  }
  const std::string config = host.layout.Here("input/config");
  if (status.ok() && chmod(config.c_str(), 0755) != 0) {
    status = os::IoError("change permissions of", config, errno);
  }
  return status;
}

Result<os::Box> Isolation::CommonBox(const TrainingJob& job) {
  const auto user = UserOf(job);
  if (!user.ok()) return user.status();
  os::Box box;
  box.hidden = PlacesToHide(options_);
  box.without_root = probe_.support == os::BoxSupport::kWithoutRoot;
  box.user = user.value();
  box.network = !WantsNoNetwork(job);
  box.processes = kMostProcessesInBox;
  for (const std::string& folder : options_.shared_folders) {
    const std::string real = RealPath(folder);
    box.shown.push_back({real, real, "", true});
  }
  return box;
}

Result<os::Box> Isolation::BoxOf(const HostToIsolate& host) {
  auto common = CommonBox(host.job);
  if (!common.ok()) return common.status();
  os::Box box = std::move(common.value());
  box.host_name = host.host;
  const std::string agent = RealPath(host.layout.agent());
  const std::string files = agent + kOptMl;
  box.shown.push_back({files, files, "", true});
  if (host.layout.view() == HostLayout::View::kBox) ShowOptMl(files, &box);
  if (os::PathExists(agent + "/other")) {
    box.shown.push_back({agent + "/other", agent + "/other", "", true});
  }
  const std::string objects = RealPath(layout_.Objects());
  for (const OutputFolder& output : host.outputs) {
    const std::string target = objects + output.target.substr(output.objects.size());
    box.shown.push_back({target, target, objects, true});
  }
  for (const char* folder : {"/tmp", "/var/tmp"}) {
    if (os::PathExists(folder)) box.shown.push_back({agent + "/tmp", RealPath(folder), "", true});
  }
  for (const char* file : {"/etc/hosts", "/etc/passwd", "/etc/group"}) {
    if (os::PathExists(file) && os::PathExists(agent + file)) {
      box.shown.push_back({agent + file, RealPath(file), "", false});
    }
  }
  if (!box.user) return box;
  std::vector<std::string> needed;
  const std::string program =
      !host.environment.python.empty() ? host.environment.python : host.environment.command.front();
  needed = FoldersOfProgram(ProgramOnPath(program));
  if (!options_.python_site.empty()) needed.push_back(RealPath(options_.python_site));
  const auto script = ScriptOf(host.job);
  if (script.ok() && script.value().directory.empty() && !script.value().program.empty()) {
    needed.push_back(fs::path(script.value().program).parent_path());
  }
  for (const std::string& folder : options_.shared_folders) needed.push_back(RealPath(folder));
  for (const std::string& path : needed) MakeReachable(path, &box);
  return box;
}

Result<os::Box> Isolation::BoxOfCommand(const TrainingJob& job) {
  auto box = CommonBox(job);
  if (!box.ok()) return box;
  const std::string folder = layout_.Job(job.name);
  std::error_code error;
  fs::create_directories(folder, error);
  Status status = MakeFolderIn(folder, "tmp");
  if (status.ok()) status = ShareFolder(folder, "tmp");
  if (!status.ok()) return status;
  for (const char* place : {"/tmp", "/var/tmp"}) {
    if (!os::PathExists(place)) continue;
    box.value().shown.push_back({RealPath(folder) + "/tmp", RealPath(place), "", true});
  }
  return box;
}

Result<RuleBox> Isolation::BoxOfRule(const TrainingJob& job, const RuleToIsolate& rule) {
  auto common = CommonBox(job);
  if (!common.ok()) return common.status();
  return MakeRuleBox(rule, layout_.Objects(), std::move(common.value()));
}

}  // namespace warden::jobs
