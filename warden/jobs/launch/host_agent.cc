// The agent of a host: runs one program to its end and says how it was.
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/capture/timeline_leftovers.h"
#include "warden/jobs/agent/agent.h"
#include "warden/jobs/agent/agent_folder.h"
#include "warden/jobs/launch/boxed.h"
#include "warden/jobs/launch/failure_text.h"
#include "warden/jobs/launch/host_spec.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/jobs/launch/node.h"
#include "warden/jobs/launch/output_pump.h"
#include "warden/jobs/launch/process_group.h"
#include "warden/jobs/launch/start_program.h"
#include "warden/jobs/launch/strays.h"
#include "warden/monitor/monitor.h"
#include "warden/os/process_table.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLastTries = 600;
// For a stop file that nobody tells of, on a node of a cluster.
constexpr int kStopLookMs = 500;

struct Ending {
  int exit_code = 0;
  int signal = 0;
  std::string failure;
  bool timed_out = false;
  bool asked = false;  // To end.
};

// Signals that wait to be read, instead of interrupting.
os::UniqueFd WaitingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) sigaddset(&signals, signal);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  return os::UniqueFd(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

// Never the name of another one's, not even after a restart of the machine.
std::string GroupName(const std::string& folder) {
  const std::string host = std::filesystem::path(folder).filename();
  return fmt::format("{}-{}-{}", host, getpid(), Now().time_since_epoch().count());
}

class Host {
 public:
  Host(std::string folder, AgentSelf* self, HostSpec spec, int signals)
      : folder_(std::move(folder)), self_(self), spec_(std::move(spec)), signals_(signals) {}

  // To the end of everything that the program has started.
  Ending Run() {
    if (StopWanted()) return StoppedBeforeStart();
    SetLimit();
    auto log = LogWriter::Open(spec_.log, spec_.log_file_bytes, spec_.log_files);
    if (!log.ok()) return {1, 0, log.status().message()};
    auto pump = OutputPump::Start(std::move(log.value()));
    if (!pump.ok()) return {1, 0, pump.status().message()};
    group_ = ProcessGroup::Make(GroupName(folder_));
    LogInfo("{}", group_ ? "the training runs in control group " + group_->folder()
                         : "cannot create control groups here; tracking child processes instead");
    LimitGroup();
    for (const std::string& notice : spec_.notices) Note(pump.value().get(), notice);
    if (spec_.requirements && !Install(pump.value().get())) {
      if (group_) group_->Kill();
      return StoppedBeforeStart();
    }
    if (Status status = Start(pump.value().get()); !status.ok()) {
      if (group_) group_->Kill();
      return {1, 0, status.message()};
    }
    const int state = Follow();
    monitor_.reset();
    KillRest();
    // Processes that were killed have not finished their timelines.
    if (!spec_.profiler_folder.empty()) capture::FinishTimelines(spec_.profiler_folder);
    pump.value()->Finish();
    return EndingOf(state, pump.value()->tail());
  }

  // False if it could not be written.
  bool Say(const Json& more = Json::object()) {
    Json state = {{"pid", getpid()},
                  {"program_pid", program_},
                  {"group", group_ ? group_->folder() : ""},
                  {"started", started_ ? Json(started_->time_since_epoch().count()) : Json()},
                  {"ended", false}};
    state.update(more);
    const Status status = self_->Say(state);
    if (!status.ok()) LogError("{}", status.message());
    return status.ok();
  }

 private:
  Ending StoppedBeforeStart() const {
    return {0, SIGTERM, "stopped before it started", timed_out_, true};
  }

  // The clock of the machine may be set meanwhile; the time that is left may not change by that.
  void SetLimit() {
    if (spec_.longest_seconds != 0) {
      limit_ = Clock::now() + std::chrono::seconds(spec_.longest_seconds);
    }
    if (spec_.stop_at == 0) return;
    const int64_t left = spec_.stop_at - Now().time_since_epoch().count();
    limit_ = Clock::now() + std::chrono::milliseconds(std::max<int64_t>(left, 0));
  }

  // A line of ours in the training's log.
  static void Note(OutputPump* pump, const std::string& line) {
    (void)!write(pump->input(), (line + "\n").data(), line.size() + 1);
  }

  // Its starter has nothing of the job's, since it is not in the box; it reads the rest from a
  // file.
  void PutIntoBox(const std::string& file, ProgramToStart* program) const {
    program->words = BoxedCommand("/proc/self/exe", file);
    program->environment = {std::string(kHostVariable) + "=" + folder_};
    program->directory = "/";
  }

  // False: the host was stopped meanwhile. What cannot be installed is said in the log: the program
  // itself knows best whether it can do without.
  bool Install(OutputPump* pump) {
    const Requirements& asked = *spec_.requirements;
    if (AreInstalled(asked)) return true;
    const auto told = [&](const std::string& why) {
      Note(pump, "Tensorwarden: requirements.txt was not installed: " + why);
      return true;
    };
    const std::string file = folder_ + "/requirements.json";
    Status status = os::ReplaceFile(file, DumpLikePython(ToJson(asked)) + "\n", 0600);
    if (status.ok()) status = BeginInstalling(asked);
    if (!status.ok()) return told(status.message());
    ProgramToStart command{asked.words,
                           asked.environment,
                           asked.directory,
                           pump->input(),
                           group_ ? group_->members() : -1,
                           SIGKILL};
    command.environment.push_back(std::string(kHostVariable) + "=" + folder_);
    if (asked.box) PutIntoBox(file, &command);
    Say();
    const auto pid = StartProgram(command);
    if (!pid.ok()) return told(pid.status().message());
    program_ = pid.value();
    const int state = Follow();
    KillAllChildren();
    Reap();
    program_ = 0;
    ended_.reset();
    const bool succeeded = WIFEXITED(state) && WEXITSTATUS(state) == 0;
    status = EndInstalling(asked, succeeded);
    if (StopWanted() || timed_out_) return false;
    if (!status.ok()) return told(status.message());
    return succeeded || told("the command above failed; the training starts without it");
  }

  void LimitGroup() {
    if (!group_) return;
    const std::string missing = group_->Limit(spec_.limits);
    if (!missing.empty()) LogInfo("not limited by the control group: {}", missing);
  }

  Status Start(OutputPump* pump) {
    ProgramToStart program{spec_.words, spec_.environment, spec_.directory, pump->input(),
                           group_ ? group_->members() : -1,
                           // A container is ended by the program that has started it.
                           spec_.cleaning.empty() ? SIGKILL : SIGTERM};
    if (spec_.box) PutIntoBox(AgentFolder(folder_).Spec(), &program);
    // Before it exists, so that whoever finds us dead knows where to look.
    Say();
    const auto pid = StartProgram(program);
    pump->CloseInput();
    if (!pid.ok()) return pid.status();
    program_ = pid.value();
    started_ = Now();
    Say();
    monitor::MonitorOptions options;
    options.folder = spec_.profiler_folder;
    options.node = spec_.node;
    options.config_file = spec_.profiler_config;
    options.training = program_;
    options.marks_end = false;  // Other hosts may go on.
    auto monitor = monitor::Monitor::Start(std::move(options));
    if (monitor.ok()) monitor_ = std::move(monitor.value());
    // A program that is over needs none; only afterwards is it known whether it was.
    if (!monitor.ok() && os::StartOfProcess(program_)) {
      LogWarning("machine metrics disabled: {}", monitor.status().message());
    }
    return Status();
  }

  // Until the program ends; how it ended.
  int Follow() {
    for (;;) {
      if (const auto state = Reap()) return *state;
      pollfd waiting{signals_, POLLIN, 0};
      poll(&waiting, 1, MillisecondsToLook());
      signalfd_siginfo signal{};
      while (read(signals_, &signal, sizeof(signal)) == sizeof(signal)) {
        if (static_cast<int>(signal.ssi_signo) != SIGCHLD) AskToEnd();
      }
      if (IsOnNode() && StopWanted()) AskToEnd();
      if (IsOnNode() && !self_->HoldsFolder()) {
        LogWarning("another attempt of the job has begun; killing this one");
        KillRest();
      }
      if (limit_ && !timed_out_ && Clock::now() >= *limit_) {
        LogWarning("the training took longer than MaxRuntimeInSeconds; stopping it");
        timed_out_ = true;
        AskToEnd();
      }
      if (deadline_ && Clock::now() >= *deadline_) {
        LogWarning("the training did not exit within the grace period; killing it");
        KillRest();
      }
    }
  }

  // All that have ended, among them those whose parents went before them. Something if the program
  // is one of them.
  std::optional<int> Reap() {
    int state = 0;
    for (pid_t pid = 0; (pid = waitpid(-1, &state, WNOHANG)) > 0;) {
      if (pid == program_) ended_ = state;
    }
    return ended_;
  }

  // May be called again, which can only shorten the grace: a second signal tells many programs to
  // give up what they do after the first.
  void AskToEnd() {
    const auto deadline = Clock::now() + Grace();
    const bool asked = deadline_.has_value();
    deadline_ = asked ? std::min(*deadline_, deadline) : deadline;
    if (asked) return;
    asked_ = true;
    // It is ours still, for we have not asked how it ended, so nobody else can have its number.
    kill(-program_, SIGTERM);
  }

  // The program too, if it is still there.
  void KillRest() {
    if (group_) group_->Kill();
    KillAllChildren();
    if (!spec_.cleaning.empty()) Clean();
    Reap();
    while (!ended_ && waitpid(program_, &last_state_, 0) < 0 && errno == EINTR) {
    }
    if (!ended_) ended_ = last_state_;
    deadline_.reset();
  }

  void Clean() {
    const auto pid = StartProgram({spec_.cleaning, spec_.environment, "/", STDERR_FILENO, -1});
    if (!pid.ok()) return LogWarning("{}", pid.status().message());
    while (waitpid(pid.value(), nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  bool IsOnNode() const { return !spec_.nodes_file.empty(); }

  bool StopWanted() const { return access(StopFileOf(folder_).c_str(), F_OK) == 0; }

  std::chrono::seconds Grace() const {
    const auto wanted = ParseJson(os::ReadWholeFile(StopFileOf(folder_)).value_or(""));
    const Json* grace = wanted.ok() ? MemberOf(wanted.value(), "grace_seconds") : nullptr;
    const int64_t seconds = grace != nullptr ? IntegerOf(grace) : spec_.grace_seconds;
    constexpr int64_t kMost = 86400;
    return std::chrono::seconds(std::clamp<int64_t>(seconds, 0, kMost));
  }

  int MillisecondsToLook() const {
    const int left = MillisecondsToDeadline();
    if (!IsOnNode()) return left;
    return left < 0 ? kStopLookMs : std::min(left, kStopLookMs);
  }

  int MillisecondsToDeadline() const {
    const bool by_limit = limit_ && !timed_out_ && (!deadline_ || *limit_ < *deadline_);
    if (!deadline_ && !by_limit) return -1;
    const auto end = by_limit ? *limit_ : *deadline_;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 1'000'000));
  }

  Ending EndingOf(int state, const std::string& tail) const {
    Ending ending;
    ending.timed_out = timed_out_;
    ending.asked = asked_;
    if (WIFEXITED(state)) ending.exit_code = WEXITSTATUS(state);
    if (WIFSIGNALED(state)) ending.signal = WTERMSIG(state);
    if (ending.exit_code != 0 || ending.signal != 0) {
      ending.failure = FailureText(spec_.failure_file, tail);
      const std::string trouble = group_ ? group_->Trouble() : "";
      if (!trouble.empty()) {
        ending.failure =
            trouble + (ending.failure.empty() ? "" : ". Last words: ") + ending.failure;
      }
    }
    return ending;
  }

  const std::string folder_;
  AgentSelf* const self_;
  const HostSpec spec_;
  const int signals_;
  std::optional<ProcessGroup> group_;
  std::unique_ptr<monitor::Monitor> monitor_;
  pid_t program_ = 0;
  std::optional<Time> started_;
  std::optional<Clock::time_point> deadline_;  // To kill it: it was asked to end.
  std::optional<Clock::time_point> limit_;     // To ask it to end.
  bool timed_out_ = false;                     // It was asked to end for that.
  bool asked_ = false;                         // It was asked to end.
  std::optional<int> ended_;
  int last_state_ = 0;
};

}  // namespace

int RunHostAgent(const std::string& folder) {
  // Before anybody can know that we are there.
  const os::UniqueFd signals = WaitingSignals();
  // What loses its parent becomes our child.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  auto self = AgentSelf::Claim(folder);
  if (self.status().code() == Code::kExists) return 0;
  if (!self.ok()) {
    LogError("{}", self.status().message());
    return 1;
  }
  auto spec = HostSpecFromJson(self.value()->spec());
  if (!spec.ok()) {
    LogError("{}", spec.status().message());
    const Status said = self.value()->Say(
        {{"ended", true}, {"exit_code", 1}, {"failure", spec.status().message()}});
    return said.ok() ? 1 : 2;
  }
  if (Status filled = spec.value().nodes_file.empty() ? Status() : FillInNode(&spec.value());
      !filled.ok()) {
    LogError("{}", filled.message());
    return 1;
  }
  Host host(folder, self.value().get(), std::move(spec.value()), signals.get());
  const Ending ending = host.Run();
  const Json last = {{"ended", true},
                     {"ended_at", Now().time_since_epoch().count()},
                     {"exit_code", ending.exit_code},
                     {"signal", ending.signal},
                     {"failure", ending.failure},
                     {"timed_out", ending.timed_out},
                     {"asked", ending.asked}};
  // The state is another attempt's by now.
  if (!self.value()->HoldsFolder()) return 1;
  // A disk that is full now may not be so soon; without these words the host counts as lost. Where
  // the folder has gone there is nobody left to tell.
  for (int tries = 0; tries < kLastTries && !host.Say(last); ++tries) {
    if (access(folder.c_str(), F_OK) != 0) return 1;
    sleep(1);
  }
  return 0;
}

}  // namespace warden::jobs
