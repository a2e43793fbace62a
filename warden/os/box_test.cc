#include "warden/os/box.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "warden/os/box_for_test.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/os/whole_file.h"

namespace warden::os {
namespace {

namespace fs = std::filesystem;

class BoxTest : public testing::Test {
 protected:
  void SetUp() override {
    probe_ = ProbeBox();
    if (probe_.support == BoxSupport::kNone) {
      ASSERT_FALSE(MustHaveBoxes()) << probe_.reason;
      GTEST_SKIP() << probe_.reason;
    }
    own_ = temp_.path() / "own";
    fs::create_directories(own_);
    fs::permissions(own_, fs::perms::all);
    box_.without_root = probe_.support == BoxSupport::kWithoutRoot;
    box_.hidden = {temp_.path()};
    box_.shown = {{own_, own_, "", true}};
    if (!box_.without_root) box_.user = 1'879'048'999;
  }

  // How a script ends in the box, as waitpid has it. What it prints is in the file "said".
  int Run(const std::string& script) {
    const pid_t child = fork();
    if (child == 0) {
      Program program;
      program.words = {"/bin/sh", "-c", "exec > " + own_ + "/said 2>&1\n" + script};
      program.folder = "/";
      RunInBox(box_, std::move(program));
    }
    int state = 0;
    waitpid(child, &state, 0);
    return state;
  }
  std::string Said() const { return ReadWholeFile(own_ + "/said").value_or("(none)"); }

  const TempFolder temp_;
  BoxProbe probe_;
  std::string own_;
  Box box_;
};

TEST_F(BoxTest, EndsAsTheProgramEnds) {
  EXPECT_EQ(WEXITSTATUS(Run("exit 7")), 7) << Said();
  const int killed = Run("kill -SEGV $$");
  ASSERT_TRUE(WIFSIGNALED(killed));
  EXPECT_EQ(WTERMSIG(killed), SIGSEGV);
  box_.shown.push_back({"/no/such/folder", own_ + "/x", "", false});
  EXPECT_EQ(WEXITSTATUS(Run("exit 0")), 1);
}

TEST_F(BoxTest, SeesItsOwnProcessesAlone) {
  ASSERT_EQ(Run("ls /proc | grep '^[0-9]' | wc -l; echo $$; cat /proc/1/environ"), 256) << Said();
  // The first process, the shell and those of a pipe; nobody reads the environment of the first.
  // Threads that a sanitizer adds to the first process take numbers too.
  EXPECT_LE(std::stoi(Said()), 5) << Said();
  EXPECT_LE(std::stoi(Said().substr(2)), 4) << Said();
  EXPECT_NE(Said().find("Permission denied"), std::string::npos) << Said();
}

TEST_F(BoxTest, WritesNowhereButWhereItMay) {
  std::ofstream(temp_.path() / "secret") << "secret";
  Run("echo x > $PWD/etc-box-test; echo x > /var/box-test; cat " + temp_.path().string() +
      "/secret; ls -A " + temp_.path().string() + "; echo y > " + own_ + "/mine; id -u");
  EXPECT_EQ(Said().find("secret\n"), std::string::npos) << Said();
  EXPECT_FALSE(PathExists("/var/box-test"));
  EXPECT_EQ(ReadWholeFile(own_ + "/mine"), "y\n") << Said();
  EXPECT_NE(Said().find("\nown\n"), std::string::npos) << Said();
  const uid_t user = box_.user.value_or(geteuid());
  EXPECT_TRUE(Said().ends_with("\n" + std::to_string(user) + "\n")) << Said();
}

TEST_F(BoxTest, MakesPlacesWithoutTouchingTheMachine) {
  box_.hidden.emplace_back("/opt");
  box_.shown.push_back({own_, "/opt/box-test/deep", "", true});
  EXPECT_EQ(Run("echo there > /opt/box-test/deep/file"), 0) << Said();
  EXPECT_EQ(ReadWholeFile(own_ + "/file"), "there\n");
  EXPECT_FALSE(PathExists("/opt/box-test"));
  // In no folder of the machine itself.
  box_.shown.push_back({own_, "/usr/box-test", "", true});
  EXPECT_EQ(WEXITSTATUS(Run("exit 0")), 1);
  EXPECT_FALSE(PathExists("/usr/box-test"));
}

TEST_F(BoxTest, AHiddenPlaceInAShownFolderStaysHidden) {
  fs::create_directories(temp_.path() / "all/data");
  std::ofstream(temp_.path() / "all/data/key") << "secret";
  box_.shown.push_back({temp_.path() / "all", temp_.path() / "all", "", false});
  box_.hidden.push_back(temp_.path() / "all/data");
  // Also one that is to be both.
  fs::create_directories(temp_.path() / "both");
  std::ofstream(temp_.path() / "both/key") << "secret";
  box_.shown.push_back({temp_.path() / "both", temp_.path() / "both", "", false});
  box_.hidden.push_back(temp_.path() / "both");
  Run("cd " + temp_.path().string() + "; ls -A all/data both; echo end");
  EXPECT_EQ(Said(), "all/data:\n\nboth:\nend\n");
}

TEST_F(BoxTest, NoLinkLeadsOutOfAFolderThatIsShown) {
  fs::create_directories(temp_.path() / "bucket");
  fs::create_directory_symlink("/etc", temp_.path() / "bucket/out");
  box_.shown.push_back({temp_.path() / "bucket/out", own_ + "/out", temp_.path(), true});
  EXPECT_EQ(WEXITSTATUS(Run("ls " + own_ + "/out")), 1);
}

TEST_F(BoxTest, HasNoWayBackToPrivileges) {
  Run("grep -E '^(CapEff|CapPrm|CapBnd|NoNewPrivs)' /proc/self/status");
  EXPECT_NE(Said().find("CapEff:\t0000000000000000"), std::string::npos) << Said();
  EXPECT_NE(Said().find("CapBnd:\t0000000000000000"), std::string::npos) << Said();
  EXPECT_NE(Said().find("NoNewPrivs:\t1"), std::string::npos) << Said();
}

TEST_F(BoxTest, TheFirstProcessGivesUpItsPrivilegesToo) {
  const std::string look =
      "for look in $(seq 1000); do grep -q '^CapPrm:.0000000000000000' /proc/1/status && exit 7; "
      "sleep 0.01; done; cat /proc/1/status";
  EXPECT_EQ(Run(look), 7 << 8) << Said();
  fs::remove(own_ + "/said");  // Root without privileges does not write to files of others.
  box_.user.reset();
  EXPECT_EQ(Run(look), 7 << 8) << Said();
}

TEST_F(BoxTest, RootInItHasNoPrivileges) {
  if (box_.without_root) GTEST_SKIP() << "needs root";
  box_.user.reset();
  // A name that is the box's own, should it be changed.
  Run("id -u; grep ^CapEff /proc/self/status; echo box > /proc/sys/kernel/domainname");
  EXPECT_TRUE(Said().starts_with("0\nCapEff:\t0000000000000000\n")) << Said();
  EXPECT_NE(Said().find("Read-only file system"), std::string::npos) << Said();
}

TEST_F(BoxTest, SharesNoNamespaceOrMemoryWithTheMachine) {
  const std::string shared = "/dev/shm/" + temp_.path().filename().string();
  std::ofstream(shared) << "of the machine";
  const char* const spaces[] = {"ipc", "mnt", "pid", "uts"};
  std::string script = "cat " + shared;
  for (const char* space : spaces) script += std::string("; readlink /proc/self/ns/") + space;
  Run(script);
  fs::remove(shared);
  EXPECT_EQ(Said().find("of the machine"), std::string::npos) << Said();
  for (const char* space : spaces) {
    const std::string ours = fs::read_symlink(std::string("/proc/self/ns/") + space);
    EXPECT_NE(Said().find(std::string(space) + ":["), std::string::npos) << Said();
    EXPECT_EQ(Said().find(ours), std::string::npos) << Said();
  }
}

TEST_F(BoxTest, HasAsManyProcessesAsItMay) {
  box_.processes = 1234;
  Run("grep '^Max processes' /proc/self/limits | tr -s ' '");
  EXPECT_EQ(Said(), "Max processes 1234 1234 processes \n");
}

TEST_F(BoxTest, HasANameAndMayHaveNoNetwork) {
  box_.host_name = "algo-1";
  box_.network = false;
  Run("cat /proc/sys/kernel/hostname; tail -n +3 /proc/net/dev | cut -d: -f1");
  EXPECT_EQ(Said(), "algo-1\n    lo\n");
}

TEST_F(BoxTest, PassesSignalsOn) {
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    Program program;
    program.words = {
        "/bin/sh", "-c",
        "trap 'exit 3' TERM; echo ready > " + own_ + "/said; while :; do sleep 0.01; done"};
    program.folder = "/";
    RunInBox(box_, std::move(program));
  }
  for (int look = 0; look < 1000 && Said() != "ready\n"; ++look) usleep(10'000);
  kill(-child, SIGTERM);
  int state = 0;
  waitpid(child, &state, 0);
  EXPECT_TRUE(WIFEXITED(state));
  EXPECT_EQ(WEXITSTATUS(state), 3);
}

TEST_F(BoxTest, CanBeEntered) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the sanitizer adds a thread, and only a single thread can change its namespaces";
#endif
#endif
  const pid_t child = fork();
  if (child == 0) {
    Program program;
    program.words = {"/bin/sh", "-c", "echo ready > " + own_ + "/said; sleep 1000"};
    program.folder = "/";
    RunInBox(box_, std::move(program));
  }
  for (int look = 0; look < 1000 && Said() != "ready\n"; ++look) usleep(10'000);
  const auto entrance = BoxEntrance::Of(child);
  ASSERT_TRUE(entrance.ok()) << entrance.status().message();
  const pid_t visitor = fork();
  if (visitor == 0) {
    if (!entrance.value().Enter()) _exit(2);
    Program program;
    program.words = {"/bin/sh", "-c",
                     "ls -A " + temp_.path().string() + " > " + own_ + "/seen; id -u"};
    program.folder = "/";
    program.last_steps = [this] {
      if (GiveUpPrivileges(box_.user) != 0) _exit(3);
    };
    const Started started = StartProgram(std::move(program));
    int state = 0;
    waitpid(started.pid, &state, 0);
    _exit(WEXITSTATUS(state));
  }
  int state = 0;
  waitpid(visitor, &state, 0);
  EXPECT_EQ(WEXITSTATUS(state), 0);
  EXPECT_EQ(ReadWholeFile(own_ + "/seen"), "own\n");
  kill(child, SIGKILL);
  waitpid(child, &state, 0);
}

}  // namespace
}  // namespace warden::os
