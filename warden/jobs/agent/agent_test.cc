#include "warden/jobs/agent/agent.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "warden/jobs/agent/agent_folder.h"
#include "warden/jobs/agent/spawn.h"
#include "warden/os/process_table.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/os/whole_file.h"
#include "warden/storage/storage_for_test.h"

namespace warden::jobs {
namespace {

using Phase = AgentState::Phase;
using std::chrono::milliseconds;

void Note(const std::string& folder, const std::string& line) {
  const int file =
      open((folder + "/notes").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const std::string text = line + "\n";
  ASSERT_EQ(write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  close(file);
}

// What this program does as an agent: what its spec says.
int RunTestAgent(const std::string& folder) {
  if (access((folder + "/die-first").c_str(), F_OK) == 0) return 1;
  auto self = AgentSelf::Claim(folder);
  if (!self.ok()) {
    Note(folder, std::string(CodeName(self.status().code())));
    return 0;
  }
  Note(folder, "claimed");
  const Json& spec = self.value()->spec();
  if (spec.contains("describe")) {
    rlimit core{}, data{};
    getrlimit(RLIMIT_CORE, &core);
    getrlimit(RLIMIT_DATA, &data);
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      files += std::stoi(entry.path().filename()) > 2 ? 1 : 0;
    }
    const char* variable = getenv("SECRET");
    const Json said = {{"ended", true},         {"session", getsid(0) == getpid()},
                       {"core", core.rlim_max}, {"data", data.rlim_max},
                       {"files", files},        {"variable", variable == nullptr ? "" : variable}};
    return self.value()->Say(said).ok() ? 0 : 1;
  }
  (void)self.value()->Say({{"ended", false}});
  if (spec.contains("wait")) pause();
  (void)self.value()->Say({{"ended", true}, {"answer", spec["question"]}});
  return 0;
}

class AgentTest : public testing::Test {
 protected:
  AgentTest() : folder_(temp_.path() / "agents/one") {}
  ~AgentTest() override { SignalAgent(folder_, SIGKILL); }

  AgentLaunch Launch(Json spec) const {
    return {folder_,
            {std::filesystem::read_symlink("/proc/self/exe").string(), "agent"},
            std::move(spec),
            {},
            0};
  }

  AgentState Await(Phase phase) const {
    AgentState state;
    for (int look = 0; look < 2000; ++look) {
      state = LookAtAgent(folder_);
      if (state.phase == phase) break;
      std::this_thread::sleep_for(milliseconds(5));
    }
    EXPECT_EQ(state.phase, phase);
    return state;
  }

  std::string Notes() const { return os::ReadWholeFile(folder_ + "/notes").value_or(""); }

  void AwaitNotes(const std::string& notes) const {
    for (int look = 0; look < 2000 && Notes() != notes; ++look) {
      std::this_thread::sleep_for(milliseconds(5));
    }
    EXPECT_EQ(Notes(), notes);
  }

  const os::TempFolder temp_;
  const std::string folder_;
};

TEST_F(AgentTest, SaysWhatBecameOfIt) {
  EXPECT_EQ(LookAtAgent(folder_).phase, Phase::kNone);
  ASSERT_TRUE(StartAgent(Launch({{"question", "why"}})).ok());
  EXPECT_EQ(Await(Phase::kEnded).said["answer"], "why");
}

TEST_F(AgentTest, IsOnItsOwnWithinItsLimits) {
  AgentLaunch launch = Launch({{"describe", true}});
  launch.environment = {"SECRET=none"};
  launch.memory_bytes = 1 << 30;
  const int leaked = open("/dev/null", O_RDONLY);
  ASSERT_TRUE(StartAgent(launch).ok());
  close(leaked);
  const Json said = Await(Phase::kEnded).said;
  EXPECT_EQ(said["session"], true);
  EXPECT_EQ(said["core"], 0);
  if (MemoryCanBeLimited()) {
    EXPECT_EQ(said["data"], 1 << 30);
  }
  EXPECT_EQ(said["variable"], "none");
  // The lock, and the folder that is listed.
  EXPECT_EQ(said["files"], 2);
  // It is no child of ours that somebody would have to ask how it ended.
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

TEST_F(AgentTest, OthersCannotReadItsFolder) {
  ASSERT_TRUE(StartAgent(Launch({{"question", "password"}})).ok());
  struct stat info{};
  ASSERT_EQ(stat(folder_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
  ASSERT_EQ(stat(AgentFolder(folder_).Spec().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  Await(Phase::kEnded);
}

TEST_F(AgentTest, NothingIsChangedThroughALink) {
  const std::string other = temp_.path() / "other";
  std::filesystem::create_directories(other);
  std::filesystem::permissions(other, std::filesystem::perms(0755));
  std::filesystem::create_directories(temp_.path() / "agents");
  std::filesystem::create_symlink(other, folder_);
  EXPECT_FALSE(StartAgent(Launch({{"question", "why"}})).ok());
  struct stat info{};
  ASSERT_EQ(stat(other.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0755U);
  EXPECT_TRUE(std::filesystem::is_empty(other));
}

TEST_F(AgentTest, WorksOnce) {
  ASSERT_TRUE(StartAgent(Launch({{"question", 1}})).ok());
  Await(Phase::kEnded);
  ASSERT_TRUE(StartAgent(Launch({{"question", 2}})).ok());
  EXPECT_EQ(Await(Phase::kEnded).said["answer"], 1);
  EXPECT_EQ(Notes(), "claimed\n");
}

TEST_F(AgentTest, OneOfManyStartedAtOnceWorks) {
  std::vector<std::thread> services;
  for (int i = 0; i < 8; ++i) {
    services.emplace_back([this] { EXPECT_TRUE(StartAgent(Launch({{"wait", 1}})).ok()); });
  }
  for (std::thread& service : services) service.join();
  const pid_t pid = Await(Phase::kRunning).pid;
  // The others say that they leave; those that came late were not even started.
  for (int look = 0; look < 100; ++look) {
    EXPECT_EQ(LookAtAgent(folder_).pid, pid);
    std::this_thread::sleep_for(milliseconds(2));
  }
  const std::string notes = Notes();
  EXPECT_EQ(notes.find("claimed"), notes.rfind("claimed"));
}

TEST_F(AgentTest, IsMissedWhenKilledAndCanBeStartedAgain) {
  ASSERT_TRUE(StartAgent(Launch({{"wait", 1}})).ok());
  Await(Phase::kRunning);
  EXPECT_EQ(ForgetAgent(folder_).code(), Code::kUnavailable);
  SignalAgent(folder_, SIGKILL);
  const AgentState lost = Await(Phase::kLost);
  EXPECT_GT(lost.pid, 0);
  ASSERT_TRUE(ForgetAgent(folder_).ok());
  EXPECT_EQ(LookAtAgent(folder_).phase, Phase::kNone);
  ASSERT_TRUE(StartAgent(Launch({{"question", "again"}})).ok());
  EXPECT_EQ(Await(Phase::kEnded).said["answer"], "again");
}

TEST_F(AgentTest, IsMissedWhenItDiesBeforeItBegins) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ + "/die-first").put('1');
  ASSERT_TRUE(StartAgent(Launch({{"question", 1}})).ok());
  Await(Phase::kLost);
  std::filesystem::remove(folder_ + "/die-first");
  // Nobody claimed the folder: the next start needs nothing else.
  ASSERT_TRUE(StartAgent(Launch({{"question", 1}})).ok());
  Await(Phase::kEnded);
}

TEST_F(AgentTest, LooksAsIfNoneWereThereBeforeItBegins) {
  AgentLaunch slow = Launch(Json::object());
  slow.words = {"/bin/sh", "-c", "exec sleep 60"};
  ASSERT_TRUE(StartAgent(slow).ok());
  EXPECT_EQ(LookAtAgent(folder_).phase, Phase::kNone);
  const auto started = ReadMark(AgentFolder(folder_).Started());
  ASSERT_TRUE(started);
  ASSERT_TRUE(started->IsAlive());
  kill(started->pid, SIGKILL);
  Await(Phase::kLost);
}

TEST_F(AgentTest, ANumberThatWasGivenOutAgainIsNotTheAgent) {
  std::filesystem::create_directories(folder_);
  ProcessMark mark = MarkOf(getpid());
  mark.start -= 1;
  ASSERT_TRUE(WriteMark(AgentFolder(folder_).Claimed(), mark).ok());
  EXPECT_EQ(LookAtAgent(folder_).phase, Phase::kLost);
  SignalAgent(folder_, SIGKILL);  // Would be the end of this test.
  mark = MarkOf(getpid());
  mark.boot = "another";
  ASSERT_TRUE(WriteMark(AgentFolder(folder_).Claimed(), mark).ok());
  EXPECT_EQ(LookAtAgent(folder_).phase, Phase::kLost);
  SignalAgent(folder_, SIGKILL);
}

TEST_F(AgentTest, DamagedFilesAreNoState) {
  std::filesystem::create_directories(folder_);
  for (const char* text : {"", "[", "[]", "7", "{\"pid\": \"x\"}", "{\"pid\": 1e99}"}) {
    std::ofstream(folder_ + "/claimed") << text;
    std::ofstream(folder_ + "/state.json") << text;
    EXPECT_NE(LookAtAgent(folder_).phase, Phase::kRunning) << text;
    SignalAgent(folder_, SIGKILL);
  }
}

TEST_F(AgentTest, AProgramThatIsNotThereIsAnError) {
  AgentLaunch launch = Launch({});
  launch.words[0] = "/nowhere/warden";
  const Status status = StartAgent(launch);
  EXPECT_EQ(status.code(), Code::kIo);
  EXPECT_NE(status.message().find("/nowhere/warden"), std::string::npos) << status.message();
}

TEST_F(AgentTest, OutlivesTheServiceThatStartedIt) {
  const pid_t service = fork();
  if (service == 0) {
    (void)StartAgent(Launch({{"wait", 1}}));
    raise(SIGKILL);
  }
  waitpid(service, nullptr, 0);
  const AgentState state = Await(Phase::kRunning);
  EXPECT_TRUE(os::StartOfProcess(state.pid));
}

}  // namespace
}  // namespace warden::jobs

// The test program is its own agent.
int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "agent") == 0) return warden::jobs::RunTestAgent(argv[2]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
