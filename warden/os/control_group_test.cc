#include "warden/os/control_group.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "warden/os/posix.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/os/whole_file.h"

// What the kernel makes of it is tested in a machine of its own: tests/service/job_limits_test.py.
namespace warden::os {
namespace {

using Names = std::vector<std::string>;

class ControlGroupTest : public ::testing::Test {
 protected:
  ControlGroupTest() {
    Write("/proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
    Write("/proc/self/cgroup", "0::/warden.service\n");
    Write(given_ + "/cgroup.controllers", "cpuset cpu io memory pids\n");
    Write(given_ + "/cgroup.subtree_control", "\n");
    Write(given_ + "/cgroup.type", "domain\n");
    Write(given_ + "/cgroup.procs", std::to_string(getpid()) + "\n");
  }

  void Write(const std::string& name, const std::string& text) {
    const std::filesystem::path path(root_ + name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  const TempFolder temp_;
  const std::string root_ = temp_.path();
  const std::string given_ = "/sys/fs/cgroup/warden.service";
};

TEST_F(ControlGroupTest, IsTheOneAboveTheService) {
  EXPECT_EQ(GivenGroup(root_), root_ + given_);
  Write("/proc/self/cgroup", "1:name=systemd:/\n0::/warden.service/warden-service\n");
  EXPECT_EQ(GivenGroup(root_), root_ + given_);
  Write("/proc/self/cgroup", "0::/\n");
  EXPECT_EQ(GivenGroup(root_), root_ + "/sys/fs/cgroup");
  Write("/proc/self/mounts", "cgroup /sys/fs/cgroup/pids cgroup rw,pids 0 0\n");
  EXPECT_EQ(GivenGroup(root_), "");
  EXPECT_EQ(ProbeGroups(root_).reason, "control groups (cgroup v2) are not mounted");
}

TEST_F(ControlGroupTest, CanBeLimitedIfItIsOursAlone) {
  const GroupSupport support = ProbeGroups(root_);
  EXPECT_EQ(support.reason, "");
  EXPECT_EQ(support.controllers, (Names{"memory", "pids", "cpu"}));
  EXPECT_EQ(ReadWholeFile(root_ + given_ + "/cgroup.subtree_control"), "\n");
}

TEST_F(ControlGroupTest, SaysWhatIsMissing) {
  Write(given_ + "/cgroup.controllers", "cpu\n");
  const GroupSupport support = ProbeGroups(root_);
  EXPECT_EQ(support.controllers, Names{"cpu"});
  EXPECT_EQ(support.reason,
            "the control group " + root_ + given_ + " has no controllers for memory, pids");
}

TEST_F(ControlGroupTest, IsLeftAloneIfOthersAreInIt) {
  Write(given_ + "/cgroup.procs", std::to_string(getpid()) + "\n1\n");
  const GroupSupport support = SetUpGroups(root_);
  EXPECT_EQ(support.controllers, Names());
  EXPECT_NE(support.reason.find("other processes are in the control group"), std::string::npos);
  EXPECT_FALSE(PathExists(root_ + given_ + "/" + kServiceGroup));
  // The machine's own group has no type.
  std::filesystem::remove(root_ + given_ + "/cgroup.type");
  EXPECT_EQ(ProbeGroups(root_).reason, "");
  // Where another service has enabled all of it, nothing is in the way.
  Write(given_ + "/cgroup.type", "domain\n");
  Write(given_ + "/cgroup.subtree_control", "cpu memory pids\n");
  EXPECT_EQ(ProbeGroups(root_).reason, "");
}

TEST_F(ControlGroupTest, EndsOnlyGroupsThatNobodyHolds) {
  const std::string held = root_ + given_ + "/" + kJobGroupPrefix + "held";
  const std::string left = root_ + given_ + "/" + kJobGroupPrefix + "left";
  std::filesystem::create_directories(left);
  for (const char* name : {"/warden-job-held", "/warden-service", "/other"}) {
    Write(given_ + name + "/cgroup.kill", "");
  }
  const UniqueFd folder(open(held.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(flock(folder.get(), LOCK_EX), 0);
  EXPECT_EQ(EndAbandonedGroups(root_ + given_), 1);
  EXPECT_FALSE(PathExists(left));
  for (const char* name : {"/warden-job-held", "/warden-service", "/other"}) {
    EXPECT_EQ(ReadWholeFile(root_ + given_ + name + "/cgroup.kill"), "") << name;
  }
}

TEST_F(ControlGroupTest, KillsWhatIsInAGroupThatItEnds) {
  const std::string group = root_ + given_ + "/" + kJobGroupPrefix + "full";
  const std::string kill = group + "/cgroup.kill";
  Write(kill.substr(root_.size()), "");
  // As the kernel does: the group can be removed when it has been told to kill.
  std::thread kernel([&] {
    for (int look = 0; look < 10'000; ++look) {
      if (ReadWholeFile(kill) == "1") {
        std::filesystem::remove(kill);
        return;
      }
      usleep(1000);
    }
  });
  EndGroup(group);
  kernel.join();
  EXPECT_FALSE(PathExists(group));
}

}  // namespace
}  // namespace warden::os
