#include "warden/dashboard/profile/profile_endpoints.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "warden/base/json.h"
#include "warden/dashboard/profile/run_profile.h"
#include "warden/timeline/timeline_for_test.h"
#include "warden/view/metrics/metrics_for_test.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

// An event of PyTorch's profiler, so many microseconds after the beginning.
std::string Event(std::string_view category, std::string_view name, int after, int duration) {
  const Json event = {{"ph", "X"},       {"cat", category},
                      {"name", name},    {"pid", 7},
                      {"tid", 7},        {"ts", 1'700'000'041'000'000 + after},
                      {"dur", duration}, {"args", {{"device", 0}}}};
  return event.dump();
}

// Two steps on a GPU.
std::string Trace() {
  const std::vector<std::string> events = {
      Event("cpu_op", "aten::mm", 0, 300),
      Event("cuda_runtime", "cudaLaunchKernel", 10, 20),
      Event("cuda_runtime", "cudaDeviceSynchronize", 40, 50),
      Event("user_annotation", "step_1", 0, 400),
      Event("user_annotation", "step_2", 500, 600),
      Event("kernel", "ampere_sgemm_128x64_nn", 100, 600),
      Event("kernel", "ampere_sgemm_128x64_nn", 700, 200),
      Event("kernel", "volta_h884gemm", 900, 100),
      Event("kernel", "ncclKernel_AllReduce<b>", 1000, 50),
      Event("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 1100, 40),
      Event("gpu_memset", "Memset (Device)", 1200, 10)};
  return fmt::format("{{\"traceEvents\": [{}]}}", fmt::join(events, ",\n"));
}

class ProfileEndpointsTest : public ::testing::Test {
 protected:
  http::Response Get(const std::string& path, const std::string& rest = "",
                     const std::string& query = "") {
    if (run_ == nullptr) Open(folder_.PathOf("profiler-output"));
    const RunEndpoints side = ProfileEndpoints();
    for (const RunEndpoint& endpoint : side.endpoints) {
      if (endpoint.path == path) return endpoint.answer({run_, Query(query), rest, nullptr});
    }
    ADD_FAILURE() << "no endpoint " << path;
    return {};
  }
  void Open(const std::string& profile) {
    RunPlaces places;
    places.name = "my run";
    places.profile = profile;
    places.reports = {folder_.PathOf("rule-output")};
    run_ = std::make_shared<OpenRun>(places);
  }
  // When it is there.
  Json Profile() {
    while (true) {
      Json profile = ParseJson(Get("profile").body).value();
      if (profile["pending"] == false) return profile;
    }
  }
  static Json Panel(const Json& profile, std::string_view id) {
    for (const Json& section : profile["dashboard"]) {
      if (section["id"] == id) return section;
    }
    ADD_FAILURE() << "no panel " << id;
    return {};
  }
  // How often the panels say it.
  static int CountOf(std::string_view text, const Json& profile) {
    const std::string all = profile["dashboard"].dump();
    int count = 0;
    for (size_t at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++count;
    return count;
  }
  void WriteTrace(std::string_view text) {
    const std::string key = "profiler-output/framework/pytorch/host_7.1700.pt.trace.json";
    folder_.Write(key, text);
    // What was not written for a while is whole.
    fs::last_write_time(folder_.PathOf(key),
                        fs::file_time_type::clock::now() - std::chrono::seconds(10));
  }
  void WriteMetrics(int moments) {
    std::string text;
    for (int i = 0; i < moments; ++i) {
      text += view::MomentText(1'700'000'040 + i, 10, 20, i % 4 == 0 ? 0 : 80);
    }
    folder_.Write("profiler-output/system/incremental/2023111422/1700000040.algo-1.json", text);
  }

  timeline::ProfilerFolderForTest folder_;
  std::shared_ptr<OpenRun> run_;
};

TEST_F(ProfileEndpointsTest, ReportsTheRecordedRun) {
  Open(timeline::kRecorded / "aligned");
  const Json profile = Profile();
  EXPECT_EQ(profile["report"]["title"], "Profiling report");
  EXPECT_EQ(profile["report"]["subtitle"], "my run");
  EXPECT_EQ(profile["report"]["still_running"], false);
  EXPECT_EQ(profile["report"]["sections"].size(), 12);
  EXPECT_GE(Panel(profile, "step-time")["charts"].size(), 2);
  EXPECT_GE(Panel(profile, "activity")["charts"].size(), 4);
  EXPECT_GE(Panel(profile, "annotations")["charts"].size(), 1);
  // Nothing to show: why, and how to get it.
  const Json kernels = Panel(profile, "kernels");
  EXPECT_TRUE(kernels["charts"].empty());
  EXPECT_EQ(CountOf("DetailedProfilingConfig", profile), 1);
}

TEST_F(ProfileEndpointsTest, GpuPanelsAreOneWithoutAGpu) {
  WriteTrace(fmt::format("{{\"traceEvents\": [{}]}}", Event("cpu_op", "aten::mm", 0, 300)));
  const Json profile = Profile();
  EXPECT_EQ(CountOf("DetailedProfilingConfig", profile), 0);
  EXPECT_EQ(CountOf("No GPU work in the profiled steps: their operators ran on the CPU.", profile),
            1);
  EXPECT_EQ(profile["dashboard"].size(), 6);
  EXPECT_EQ(Panel(profile, "cpu-operators")["tables"][0]["rows"].size(), 1);
}

TEST_F(ProfileEndpointsTest, NestedOperatorsCountOnce) {
  WriteTrace(fmt::format("{{\"traceEvents\": [{},{},{}]}}", Event("cpu_op", "aten::linear", 0, 400),
                         Event("cpu_op", "aten::addmm", 50, 300),
                         Event("cpu_op", "aten::copy_", 60, 100)));
  const Json profile = Profile();
  EXPECT_EQ(Panel(profile, "cpu-operators")["tables"][0]["rows"],
            Json::parse(R"([["aten::addmm", "1", "0.200", "0.300", "0.300", "50.0"],
                            ["aten::linear", "1", "0.100", "0.400", "0.400", "25.0"],
                            ["aten::copy_", "1", "0.100", "0.100", "0.100", "25.0"]])"));
}

TEST_F(ProfileEndpointsTest, ShowsWhatTheGpuDid) {
  WriteTrace(Trace());
  WriteMetrics(8);
  const Json profile = Profile();
  const auto slice = [](const Json& chart, std::string_view label) {
    for (const Json& one : chart["data"]["slices"]) {
      if (one["label"] == label) return one["value"].get<double>();
    }
    return -1.0;
  };
  const Json activity = Panel(profile, "activity")["charts"][0];
  EXPECT_EQ(activity["title"], "GPU active time");
  EXPECT_EQ(slice(activity, "Idle"), 2);
  EXPECT_EQ(slice(activity, "Active"), 6);
  const Json kernels = Panel(profile, "kernels");
  EXPECT_DOUBLE_EQ(slice(kernels["charts"][0], "ampere_sgemm_128x64_nn"), 0.0008);
  EXPECT_EQ(slice(kernels["charts"][1], "ampere_sgemm_128x64_nn"), 2);
  EXPECT_EQ(kernels["charts"][0]["data"]["top"], 15);
  EXPECT_EQ(kernels["charts"][0]["data"]["unit"], "s");
  EXPECT_EQ(kernels["charts"][1]["data"]["top"], 15);
  EXPECT_EQ(kernels["tables"][0]["rows"][0],
            Json({"ampere_sgemm_128x64_nn", "2", "0.800", "400.0", "600", "84.2"}));
  const Json precision = Panel(profile, "precision")["charts"][0];
  EXPECT_DOUBLE_EQ(slice(precision, "float32"), 0.0008);
  EXPECT_DOUBLE_EQ(slice(precision, "float16"), 0.0001);
  const Json memory = Panel(profile, "memory-operations")["charts"][0];
  EXPECT_DOUBLE_EQ(slice(memory, "Host to device"), 0.00004);
  EXPECT_DOUBLE_EQ(slice(memory, "Fill"), 0.00001);
  const Json work = Panel(profile, "gpu-activity")["charts"][0];
  EXPECT_DOUBLE_EQ(slice(work, "Communication"), 0.00005);
  EXPECT_DOUBLE_EQ(slice(work, "Host wait"), 0.00005);
  EXPECT_EQ(Panel(profile, "launches")["tables"][0]["rows"][0][1], "1");
  EXPECT_EQ(Panel(profile, "annotations")["tables"][0]["rows"][0][0], "step");
  EXPECT_EQ(Panel(profile, "annotations")["tables"][0]["rows"][0][1], "2");
  EXPECT_EQ(Panel(profile, "cpu-operators")["tables"][0]["rows"][0][0], "aten::mm");
  EXPECT_EQ(Panel(profile, "communication")["tables"][0]["rows"][0][0], "ncclKernel_AllReduce<b>");
}

TEST_F(ProfileEndpointsTest, HasNothingWhereNothingWasProfiled) {
  for (const std::string& profile : {std::string(), std::string("/nowhere")}) {
    Open(profile);
    EXPECT_EQ(Profile().dump(), R"({"report":null,"dashboard":[],"pending":false})");
  }
}

TEST_F(ProfileEndpointsTest, SurvivesHostileFiles) {
  WriteTrace("{\"traceEvents\": [{\"ph\":\"X\",\"name\":\"\\ud800\",\"ts\":1e300,\"dur\":-5},,,{");
  folder_.Write("profiler-output/system/incremental/2023111422/1700000040.algo-1.json",
                "nonsense\n" + view::MomentText(1'700'000'040, 1e308, -1e308, 1e30));
  const Json profile = Profile();
  EXPECT_GE(profile["dashboard"].size(), 5);
}

TEST_F(ProfileEndpointsTest, IsMadeAnewWhenTheRunHasGrown) {
  WriteMetrics(3);
  RunPlaces places;
  places.profile = folder_.PathOf("profiler-output");
  RunProfile profile(places, {.anew_after = std::chrono::milliseconds(0)});
  const auto idle = [&] {
    const Json json = ParseJson(profile.Answer(std::nullopt)).value();
    if (json["report"].is_null()) return -1.0;
    return json["dashboard"][0]["charts"][0]["data"]["slices"][1]["value"].get<double>();
  };
  while (idle() != 1) continue;
  folder_.Write("profiler-output/system/incremental/2023111422/1700000100.algo-1.json",
                view::MomentText(1'700'000'100, 1, 1, 0));
  while (idle() != 2) continue;
}

TEST_F(ProfileEndpointsTest, ServesReports) {
  folder_.Write("rule-output/ProfilerReport-17/profiler-output/profiler-report.html", "<p>");
  const Json list = ParseJson(Get("reports").body).value();
  ASSERT_EQ(list.size(), 1);
  EXPECT_EQ(list[0]["name"], "ProfilerReport-17");
  EXPECT_EQ(list[0]["title"], "Profiling report");
  EXPECT_EQ(list[0]["kind"], "profiler");
  EXPECT_EQ(list[0]["files"].dump(), R"([{"path":"profiler-report.html","bytes":3}])");
  const http::Response page =
      Get("reports/*", "ProfilerReport-17/profiler-report.html", "download=1");
  EXPECT_EQ(page.status, 200);
  EXPECT_TRUE(page.file.has_value());
  EXPECT_EQ(Get("reports/*", "ProfilerReport-17/no.html").status, 404);
  EXPECT_EQ(Get("reports/*", "ProfilerReport-17/profiler-report.html", "download=x").status, 400);
}

}  // namespace
}  // namespace warden::dashboard
