// Against a library of our own that answers as NVML does where it goes wrong; the real one is tried
// on machines that have it.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <thread>

#include "warden/monitor/collectors.h"
#include "warden/monitor/gpu_sampler.h"
#include "warden/monitor/monitor_for_test.h"
#include "warden/monitor/nvml.h"

namespace warden::monitor {
namespace {

// Two GPUs: one that tells all, one that tells only that it is not supported.
constexpr char kLibrary[] = R"(
#include <stdio.h>
#include <time.h>
typedef void* Device;
struct Process { unsigned pid; unsigned long long memory; unsigned a, b; };
struct Sample { unsigned long long time; double value; };
struct Event { Device device; unsigned long long type, data; unsigned a, b; };
static unsigned long long errors = 0;
static int told = 0;
static Device listening;
struct Field { unsigned id, scope; long long time, latency; int type, result;
               union { unsigned long long count; unsigned small; } value; };
static unsigned long long calls = 0;
static int Good(Device d) { return (long)d == 1 ? 0 : 3; }
extern "C" {
int nvmlInit_v2() { return INIT; }
int nvmlShutdown() { return 0; }
int nvmlDeviceGetCount_v2(unsigned* n) { *n = 2; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, Device* d) { *d = (Device)(long)(i + 1); return 0; }
int nvmlDeviceGetUtilizationRates(Device d, unsigned* v) { SLOW; v[0] = 87; v[1] = 40; return Good(d); }
int nvmlDeviceGetMemoryInfo(Device d, unsigned long long* v) {
  v[0] = 1000; v[1] = 750; v[2] = 250; return Good(d); }
int nvmlDeviceGetPowerUsage(Device d, unsigned* v) { *v = 123500; return Good(d); }
int nvmlDeviceGetEnforcedPowerLimit(Device d, unsigned* v) { *v = 700000; return Good(d); }
int nvmlDeviceGetTemperature(Device d, int, unsigned* v) { *v = 61; return Good(d); }
int nvmlDeviceGetClockInfo(Device d, int t, unsigned* v) { *v = 1000 + t; return Good(d); }
int nvmlDeviceGetCurrentClocksThrottleReasons(Device d, unsigned long long* v) {
  *v = 4; return Good(d); }
int nvmlDeviceGetPcieThroughput(Device d, int c, unsigned* v) { *v = 10 + c; return Good(d); }
int nvmlDeviceGetUUID(Device d, char* text, unsigned size) {
  snprintf(text, size, "GPU-%ld", (long)d); return 0; }
int nvmlDeviceGetName(Device d, char* text, unsigned size) { snprintf(text, size, "H200"); return 0; }
int nvmlDeviceGetTotalEccErrors(Device d, int kind, int which, unsigned long long* v) {
  if (Good(d) != 0 || which != 0) return 3;
  *v = kind == 0 ? 5 : ++errors / 4; return 0; }
int nvmlDeviceGetComputeRunningProcesses_v3(Device d, unsigned* n, struct Process* p) {
  p[0].pid = 4711; p[0].memory = 200; p[1].pid = 4712; p[1].memory = ~0ULL; *n = 2; return Good(d); }
int nvmlDeviceGetSamples(Device d, int type, unsigned long long since, int* kind, unsigned* n,
                         struct Sample* s) {
  // Ten updates 20 ms apart, and then none.
  unsigned count = 0;
  for (unsigned i = 1; i <= 10; ++i) if (i * 20000 > since) s[count++].time = i * 20000;
  *n = count;
  return Good(d) != 0 ? 3 : type != 1 ? 2 : count == 0 ? 6 : 0;
}
int nvmlEventSetCreate(void** set) { *set = &errors; return 0; }
int nvmlEventSetFree(void*) { return 0; }
int nvmlDeviceRegisterEvents(Device d, unsigned long long types, void*) {
  listening = d; return types == 8 ? Good(d) : 2; }
int nvmlEventSetWait_v2(void*, struct Event* e, unsigned timeout) {
  if (timeout != 0 || told == 2) return 10;
  e->device = (Device)1; e->type = 8; e->data = told++ == 0 ? 79 : 31; return 0; }
int nvmlDeviceGetFieldValues(Device d, int n, struct Field* f) {
  ++calls;
  for (int i = 0; i < n; ++i) {
    f[i].type = f[i].id > 150 ? 3 : 1;
    f[i].value.count = 0;
    if (f[i].id > 150) f[i].value.count = calls * 1000; else f[i].value.small = (unsigned)calls;
    f[i].result = Good(d) != 0 || (f[i].id > 150 && !PCIE) ? 3 : 0;
  }
  return 0;
}
}
)";

class GpuTest : public testing::Test {
 protected:
  // The path of such a library; empty without a compiler.
  std::string Build(const std::string& name, const std::string& definitions) {
    folder_.Write("nvml.cc", kLibrary);
    const std::string path = fmt::format("{}/{}.so", folder_.path(), name);
    const std::string command = fmt::format("c++ -shared -fPIC -w {} -o {} {}/nvml.cc 2>&1",
                                            definitions, path, folder_.path());
    return std::system(command.c_str()) == 0 ? path : "";
  }

  // Until there is something, for at most ten seconds.
  static Values Wait(Collector* collector, Slots* slots) {
    Values values;
    for (int i = 0; i < 500 && values.empty(); ++i) values = CollectAt(collector, 1 + i, slots);
    return values;
  }

  FilesForTest folder_;
  Slots slots_;
};

TEST_F(GpuTest, WhatTheDriverTellsIsReportedAndTheRestIsNot) {
  const std::string library = Build("good", "-DINIT=0 -DSLOW= -DPCIE=1");
  if (library.empty()) GTEST_SKIP() << "no compiler";
  const auto collector = MakeGpuCollector(library);
  Values values = Wait(collector.get(), &slots_);
  EXPECT_EQ(values.at("gpu/GPUUtilization/gpu0"), 87);
  EXPECT_EQ(values.at("gpu/GPUMemoryUtilization/gpu0"), 25);
  EXPECT_EQ(values.at("accelerator/MemoryBusyPercent/gpu0"), 40);
  EXPECT_EQ(values.at("accelerator/MemoryUsedBytes/gpu0"), 250);
  EXPECT_EQ(values.at("accelerator/PowerWatts/gpu0"), 123.5);
  EXPECT_EQ(values.at("accelerator/PowerLimitWatts/gpu0"), 700);
  EXPECT_EQ(values.at("accelerator/TemperatureCelsius/gpu0"), 61);
  EXPECT_EQ(values.at("accelerator/ClockMHz/gpu0"), 1001);
  EXPECT_EQ(values.at("accelerator/MemoryClockMHz/gpu0"), 1002);
  EXPECT_EQ(values.at("accelerator/ThrottleReasons/gpu0"), 4);
  EXPECT_FALSE(values.contains("accelerator/PcieReceiveBytesPerSecond/gpu0"));  // No rate yet.
  for (const auto& [name, value] : values) EXPECT_FALSE(name.ends_with("gpu1")) << name;
  values = Wait(collector.get(), &slots_);
  EXPECT_GT(values.at("accelerator/PcieReceiveBytesPerSecond/gpu0"), 0);
  EXPECT_GT(values.at("accelerator/NvlinkTransmitBytesPerSecond/gpu0"), 0);
}

TEST_F(GpuTest, ErrorsAndProcessesAreTold) {
  const std::string library = Build("errors", "-DINIT=0 -DSLOW= -DPCIE=1");
  if (library.empty()) GTEST_SKIP() << "no compiler";
  const auto collector = MakeGpuCollector(library);
  Values values = Wait(collector.get(), &slots_);
  EXPECT_EQ(values.at("accelerator/EccCorrectedErrors/gpu0"), 5);
  EXPECT_EQ(values.at("accelerator/EccUncorrectedErrors/gpu0"), 0);
  EXPECT_EQ(values.at("accelerator/XidError/gpu0"), 79);
  EXPECT_EQ(values.at("accelerator/ProcessMemoryBytes/gpu0:4711"), 200);
  EXPECT_FALSE(values.contains("accelerator/ProcessMemoryBytes/gpu0:4712"));  // Not known.
  // Counters are written again when they grow; what was reported once is not repeated.
  values = Wait(collector.get(), &slots_);
  EXPECT_FALSE(values.contains("accelerator/EccUncorrectedErrors/gpu0"));
  EXPECT_EQ(values.at("accelerator/XidError/gpu0"), 31);
  values = Wait(collector.get(), &slots_);
  EXPECT_FALSE(values.contains("accelerator/EccUncorrectedErrors/gpu0"));
  EXPECT_FALSE(values.contains("accelerator/XidError/gpu0"));
  values = Wait(collector.get(), &slots_);
  EXPECT_EQ(values.at("accelerator/EccUncorrectedErrors/gpu0"), 1);
  EXPECT_FALSE(values.contains("accelerator/EccCorrectedErrors/gpu0"));
}

TEST_F(GpuTest, UtilizationIsWrittenWhenTheDriverHasMeasuredIt) {
  const std::string library = Build("updates", "-DINIT=0 -DSLOW= -DPCIE=1");
  if (library.empty()) GTEST_SKIP() << "no compiler";
  const auto collector = MakeGpuCollector(library);
  Values values = Wait(collector.get(), &slots_);
  EXPECT_EQ(values.at("gpu/GPUUtilization/gpu0"), 87);
  EXPECT_NEAR(values.at("accelerator/RefreshSeconds/gpu0"), 0.02, 1e-9);
  values = Wait(collector.get(), &slots_);
  EXPECT_FALSE(values.contains("gpu/GPUUtilization/gpu0"));
  EXPECT_FALSE(values.contains("accelerator/MemoryBusyPercent/gpu0"));
  EXPECT_EQ(values.at("accelerator/MemoryUsedBytes/gpu0"), 250);
}

TEST_F(GpuTest, OnlyGpusThatTheJobMayUseAreMeasured) {
  const std::string library = Build("visible", "-DINIT=0 -DSLOW= -DPCIE=1");
  if (library.empty()) GTEST_SKIP() << "no compiler";
  const auto opened = Nvml::Open(library);
  ASSERT_TRUE(opened.ok());
  const auto identities = opened.value()->Identities();
  ASSERT_EQ(identities.size(), 2u);
  EXPECT_TRUE(identities[1].opens);
  EXPECT_EQ(identities[1].uuid, "GPU-2");
  EXPECT_EQ(identities[1].model, "H200");
  ASSERT_EQ(setenv("CUDA_VISIBLE_DEVICES", "GPU-2", 1), 0);
  GpuSampler gpus(library);
  gpus.Ask();
  const auto readings = gpus.Take(std::chrono::seconds(10));
  unsetenv("CUDA_VISIBLE_DEVICES");
  ASSERT_TRUE(readings.has_value());
  ASSERT_EQ(readings->size(), 1u);
  EXPECT_EQ(readings->at(0).number, 1u);
}

TEST_F(GpuTest, PcieIsMeasuredWhereItIsNotCounted) {
  const std::string library = Build("uncounted", "-DINIT=0 -DSLOW= -DPCIE=0");
  if (library.empty()) GTEST_SKIP() << "no compiler";
  const auto collector = MakeGpuCollector(library);
  Values values;
  // The first reading comes before it is measured.
  for (int i = 0; i < 100 && !values.contains("accelerator/PcieReceiveBytesPerSecond/gpu0"); ++i) {
    values = Wait(collector.get(), &slots_);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(values.at("accelerator/PcieReceiveBytesPerSecond/gpu0"), 11 * 1024);
  EXPECT_EQ(values.at("accelerator/PcieTransmitBytesPerSecond/gpu0"), 10 * 1024);
}

TEST_F(GpuTest, ADriverThatHangsHoldsNobodyUp) {
  const std::string library =
      Build("slow", "-DINIT=0 -DPCIE=1 '-DSLOW=struct timespec t = {3600, 0}; nanosleep(&t, 0)'");
  if (library.empty()) GTEST_SKIP() << "no compiler";
  const auto collector = MakeGpuCollector(library);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(CollectAt(collector.get(), 1 + i, &slots_).empty());
  EXPECT_EQ(collector->pace().count(), 0);  // It is looked for at each tick.
}

TEST_F(GpuTest, ErrorsOfTheLibraryAreTold) {
  EXPECT_EQ(Nvml::Open("libwarden-has-no-such-library.so").status().code(), Code::kNotFound);
  folder_.Write("text.so", "this is no library");
  EXPECT_EQ(Nvml::Open(folder_.path() + "/text.so").status().code(), Code::kNotFound);
  const std::string broken = Build("broken", "-DINIT=9 -DSLOW= -DPCIE=1");
  if (broken.empty()) GTEST_SKIP() << "no compiler";
  const auto opened = Nvml::Open(broken);
  EXPECT_EQ(opened.status().code(), Code::kUnavailable);
  EXPECT_NE(opened.status().message().find("error 9"), std::string::npos);
  EXPECT_EQ(Nvml::Open("libc.so.6").status().code(), Code::kCorrupt);
}

TEST_F(GpuTest, WithoutALibraryThereIsNothingToReport) {
  const auto collector = MakeGpuCollector("libwarden-has-no-such-library.so");
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(CollectAt(collector.get(), 1 + i, &slots_).empty());
}

TEST_F(GpuTest, TheRealLibrary) {
  const auto nvml = Nvml::Open(kNvmlLibrary);
  if (!nvml.ok()) GTEST_SKIP() << nvml.status().message();
  if (nvml.value()->count() == 0) GTEST_SKIP() << "no GPU";
  const GpuState state = nvml.value()->State(0);
  EXPECT_GE(state.busy_percent, 0);
  EXPECT_LE(state.busy_percent, 100);
  EXPECT_GT(state.memory_total, state.memory_used);
  EXPECT_GT(state.power_w, 1);
  EXPECT_GT(state.temperature_c, 1);
}

}  // namespace
}  // namespace warden::monitor
