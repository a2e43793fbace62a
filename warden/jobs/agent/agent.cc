#include "warden/jobs/agent/agent.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "warden/jobs/agent/agent_folder.h"
#include "warden/jobs/agent/spawn.h"
#include "warden/os/posix.h"
#include "warden/os/private_folder.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

constexpr std::chrono::milliseconds kForgetLook{10};
constexpr int kForgetLooks = 500;

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::vector<std::string> OwnEnvironment() {
  std::vector<std::string> variables;
  for (char** at = environ; *at != nullptr; ++at) variables.emplace_back(*at);
  return variables;
}

// Null if it has said nothing that can be understood.
Json ReadState(const std::string& path) {
  const auto text = os::ReadWholeFile(path);
  if (!text) return nullptr;
  auto json = ParseJson(*text);
  return json.ok() && json.value().is_object() ? std::move(json.value()) : Json(nullptr);
}

bool HasEnded(const Json& said) {
  return said.is_object() && said.contains("ended") && said["ended"] == true;
}

}  // namespace

Status StartAgent(const AgentLaunch& launch) {
  const AgentFolder folder(launch.folder);
  if (Status status = os::MakePrivateFolder(folder.root); !status.ok()) return status;
  if (Exists(folder.Claimed())) return Status();
  Status status = os::ReplaceFile(folder.Spec(), DumpLikePython(launch.spec) + "\n", 0600);
  if (!status.ok()) return status;
  DetachedProgram program;
  program.words = launch.words;
  program.words.push_back(launch.folder);
  program.environment = launch.environment.empty() ? OwnEnvironment() : launch.environment;
  program.output = folder.Output();
  program.memory_bytes = launch.memory_bytes;
  const auto pid = SpawnDetached(program);
  if (!pid.ok()) return pid.status();
  // Only so that one that dies before it has claimed the folder is missed.
  return WriteMark(folder.Started(), MarkOf(pid.value()));
}

AgentState LookAtAgent(const std::string& path) {
  using Phase = AgentState::Phase;
  const AgentFolder folder(path);
  auto claim = ReadMark(folder.Claimed());
  if (!claim) {
    const auto started = ReadMark(folder.Started());
    if (!started || started->IsAlive()) return {Phase::kNone, 0, nullptr};
    // It has gone; perhaps because another was faster, which has said so by now.
    claim = ReadMark(folder.Claimed());
    if (!claim) return {Phase::kLost, started->pid, nullptr};
  }
  AgentState state{Phase::kRunning, claim->pid, nullptr};
  const bool alive = claim->IsAlive();
  // After that: one that ended in between has said so before.
  state.said = ReadState(folder.State());
  if (!alive) state.phase = Phase::kLost;
  if (HasEnded(state.said)) state.phase = Phase::kEnded;
  return state;
}

void SignalAgent(const std::string& path, int signal) {
  const auto claim = ReadMark(AgentFolder(path).Claimed());
  if (!claim || claim->pid <= 0) return;
  const os::UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, claim->pid, 0)));
  // The handle stays that of whoever has the number now: this tells whether it is still the agent.
  if (!process.ok() || !claim->IsAlive()) return;
  syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0);
}

Status ForgetAgent(const std::string& path) {
  const AgentFolder folder(path);
  if (!Exists(folder.root)) return Status();
  const os::UniqueFd lock(
      open(folder.Lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock.ok()) return os::IoError("open", folder.Lock(), errno);
  // The last thread of a process that was killed lets go of its files a moment after the first.
  for (int look = 0; flock(lock.get(), LOCK_EX | LOCK_NB) != 0; ++look) {
    const auto claim = ReadMark(folder.Claimed());
    if (look == kForgetLooks || (claim && claim->IsAlive())) {
      return Status(Code::kUnavailable, "an agent is still running in " + path);
    }
    std::this_thread::sleep_for(kForgetLook);
  }
  for (const std::string& file : {folder.State(), folder.Started(), folder.Claimed()}) {
    if (unlink(file.c_str()) != 0 && errno != ENOENT) {
      return os::IoError("remove", file, errno);
    }
  }
  return Status();
}

}  // namespace warden::jobs
