#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <limits>

#include "warden/monitor/collectors.h"
#include "warden/monitor/monitor_for_test.h"
#include "warden/monitor/process_stat.h"

namespace warden::monitor {
namespace {

class ProcessCollectorTest : public testing::Test {
 protected:
  ProcessCollectorTest() {
    // Two cores.
    folder_.Write("proc/self/cgroup", "0::/\n");
    folder_.Write("sys/fs/cgroup/cgroup.controllers", "cpuset\n");
    folder_.Write("sys/fs/cgroup/cpuset.cpus.effective", "0-1\n");
  }

  struct Made {
    int parent = 1;
    int ticks = 0;        // Of its own.
    int child_ticks = 0;  // Of children that ended.
    int threads = 1;
    int pages = 0;
    int read = 0;
    std::string command = "python train.py";
    std::string name = "python";
  };
  void Write(int pid, const Made& made) {
    const std::string base = fmt::format("proc/{}/", pid);
    folder_.Write(
        base + "stat",
        fmt::format("{} (a ) b) S {} 1 1 0 -1 0 0 0 0 0 {} 0 {} 0 20 0 {} 0 {} 0 {} 5 5\n", pid,
                    made.parent, made.ticks, made.child_ticks, made.threads, 1000 + pid,
                    made.pages));
    folder_.Write(base + "io", fmt::format("rchar: {}\nwchar: 0\nread_bytes: {}\nwrite_bytes: 0\n",
                                           made.read, made.read / 2));
    folder_.Write(base + "cmdline", made.command);
    folder_.Write(base + "comm", made.name + "\n");
  }
  // Who has the file of a process open that is gone reads nothing from it.
  void Empty(int pid) { folder_.Write(fmt::format("proc/{}/stat", pid), ""); }
  Values At(double seconds) {
    if (!collector_) collector_ = MakeProcessCollector(folder_.path(), 100);
    return CollectAt(collector_.get(), seconds, &slots_);
  }

  const double hertz_ = static_cast<double>(sysconf(_SC_CLK_TCK));
  FilesForTest folder_;
  std::unique_ptr<Collector> collector_;
  Slots slots_;
};

TEST_F(ProcessCollectorTest, TheWholeTreeAndNobodyElse) {
  Write(1, {.parent = 0, .pages = 9999});
  Write(100, {.ticks = 10, .threads = 3, .pages = 10});
  Write(200, {.parent = 100, .ticks = 10, .pages = 5});
  Write(300, {.parent = 200, .pages = 1, .command = "sh", .name = "sh"});
  Write(400, {.parent = 1, .pages = 1000});
  Values values = At(1);
  EXPECT_FALSE(values.contains("process/CPUUtilization/training"));
  EXPECT_EQ(values.at("process/Processes/training"), 3);
  EXPECT_EQ(values.at("process/Threads/training"), 5);
  EXPECT_EQ(values.at("process/ResidentBytes/training"),
            16 * static_cast<double>(sysconf(_SC_PAGESIZE)));
  EXPECT_EQ(values.at("process/DataLoaderWorkers/training"), 1);
  Write(100, {.ticks = 10 + static_cast<int>(hertz_ / 2), .read = 1000});
  Write(200, {.parent = 100, .ticks = 10 + static_cast<int>(hertz_ / 2)});
  Write(400, {.parent = 1, .ticks = 100000});
  values = At(2);
  EXPECT_DOUBLE_EQ(values.at("process/CPUUtilization/training"), 50);
  EXPECT_DOUBLE_EQ(values.at("process/ReadBytesPerSecond/training"), 1000);
  EXPECT_DOUBLE_EQ(values.at("process/DiskReadBytesPerSecond/training"), 500);
}

// What a child used moves to its parent when it ends; it must not count again.
TEST_F(ProcessCollectorTest, AChildThatEnds) {
  Write(100, {});
  Write(200, {.parent = 100, .ticks = 5000, .read = 70000});
  At(1);
  Empty(200);
  Write(100, {.child_ticks = 5000 + static_cast<int>(hertz_), .read = 70500});
  const Values values = At(2);
  EXPECT_EQ(values.at("process/Processes/training"), 1);
  EXPECT_DOUBLE_EQ(values.at("process/CPUUtilization/training"), 50);
  EXPECT_DOUBLE_EQ(values.at("process/ReadBytesPerSecond/training"), 500);
}

TEST_F(ProcessCollectorTest, AChildThatEndsAfterItsParentWasRead) {
  Write(100, {});
  Write(200, {.parent = 100, .ticks = 5000});
  At(1);
  Empty(200);  // Ended, but the parent does not show it yet.
  EXPECT_DOUBLE_EQ(At(1.1).at("process/CPUUtilization/training"), 0);
  Write(100, {.child_ticks = 5000});
  EXPECT_DOUBLE_EQ(At(1.2).at("process/CPUUtilization/training"), 0);
}

TEST_F(ProcessCollectorTest, ChildrenThatComeLaterAreFoundWithinASecond) {
  Write(100, {});
  At(1);
  Write(200, {.parent = 100, .ticks = 100'000});
  EXPECT_EQ(At(1.5).at("process/Processes/training"), 1);
  Values values = At(2);
  EXPECT_EQ(values.at("process/Processes/training"), 2);
  EXPECT_DOUBLE_EQ(values.at("process/CPUUtilization/training"), 0);
}

// Where the kernel lists children, those of main threads are found soon, others later.
TEST_F(ProcessCollectorTest, ChildrenAsTheKernelListsThem) {
  Write(100, {});
  folder_.Write("proc/100/task/100/children", "");
  At(1);
  Write(200, {.parent = 100});
  Write(300, {.parent = 100});
  folder_.Write("proc/100/task/100/children", "200 ");
  EXPECT_EQ(At(2).at("process/Processes/training"), 2);
  EXPECT_EQ(At(11).at("process/Processes/training"), 3);
  folder_.Write("proc/100/task/100/children", "x 99999999999999999999 200 -5");
  EXPECT_EQ(At(12).at("process/Processes/training"), 3);
}

TEST_F(ProcessCollectorTest, HostileFiles) {
  folder_.Write("proc/100/stat", "100 (a");
  EXPECT_TRUE(At(1).empty());
  folder_.Write("proc/100/stat", "100 (a) S 100 x y\n");
  EXPECT_TRUE(At(3).empty());
  // A circle.
  Write(100, {.parent = 200});
  Write(200, {.parent = 100});
  folder_.Write("proc/99999999999999/stat", "5 (a) S 1\n");
  EXPECT_EQ(At(5).at("process/Processes/training"), 2);
}

TEST(ProcessCollector, TheRealTree) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    pause();
    _exit(0);
  }
  Slots slots;
  const auto collector = MakeProcessCollector("", getpid());
  CollectAt(collector.get(), 1, &slots);
  const Values values = CollectAt(collector.get(), 2, &slots);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(values.at("process/Processes/training"), 2);
  EXPECT_EQ(values.at("process/DataLoaderWorkers/training"), 1);  // A copy of this one.
  EXPECT_GT(values.at("process/ResidentBytes/training"), 1e6);
  EXPECT_TRUE(values.contains("process/CPUUtilization/training"));
}

TEST(ProcessStat, WorkersAreToldByNameAndCommand) {
  EXPECT_TRUE(IsDataLoaderWorker("pt_data_worker", "x", "y"));
  EXPECT_TRUE(IsDataLoaderWorker("python", "python train.py", "python train.py"));
  EXPECT_TRUE(IsDataLoaderWorker("python",
                                 "python -c from multiprocessing.spawn import spawn_main; "
                                 "spawn_main() --multiprocessing-fork",
                                 "python train.py"));
  EXPECT_FALSE(IsDataLoaderWorker("sh", "sh", "python train.py"));
  EXPECT_FALSE(IsDataLoaderWorker("kworker", "", ""));
  EXPECT_FALSE(IsDataLoaderWorker("python",
                                  "python -c from multiprocessing.resource_tracker import main "
                                  "--multiprocessing-fork",
                                  "python train.py"));
}

TEST(ProcessStat, NumbersThatDoNotFit) {
  std::string text = "7 (x) R 1";
  for (int i = 0; i < 40; ++i) text += " 99999999999999999999999";
  const auto stat = ParseProcessStat(text);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->pages, std::numeric_limits<uint64_t>::max());
  EXPECT_FALSE(ParseProcessStat(""));
  EXPECT_FALSE(ParseProcessStat("7 (x)"));
}

}  // namespace
}  // namespace warden::monitor
