#include "warden/dashboard/metrics/metrics_endpoints.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "warden/base/json.h"
#include "warden/rules/finding.h"
#include "warden/timeline/timeline_for_test.h"
#include "warden/view/metrics/metrics_for_test.h"
#include "warden/view/metrics/run_metrics.h"

namespace warden::dashboard {
namespace {

using timeline::ProfilerFolderForTest;
using view::MetricText;
using view::MomentText;

constexpr double kStart = 1'700'000'040;
const std::string kUnfinished = "profiler-output/moments";
const std::string kMetrics = "profiler-output/system/incremental/2023111422/1700000040.algo-1.json";
const std::string kTimeline =
    "profiler-output/framework/pevents/2023111422/1700000099000000_88-algo-1_pythontimeline.json";

// An answer of columns, taken apart.
struct Columns {
  Json header;
  std::map<std::string, std::vector<double>> values;
};

Columns Decode(const std::string& body) {
  Columns columns;
  uint32_t length = 0;
  std::memcpy(&length, body.data() + 4, 4);
  columns.header = ParseJson(std::string_view(body).substr(8, length)).value();
  size_t at = 8 + length;
  for (const Json& column : columns.header["columns"]) {
    const size_t size = column["type"] == "f64" ? 8 : 4;
    std::vector<double>& values = columns.values[column["name"]];
    for (size_t i = 0; i < column["length"].get<size_t>(); ++i) {
      double number = 0;
      float single = 0;
      std::memcpy(size == 8 ? static_cast<void*>(&number) : &single, body.data() + at + i * size,
                  size);
      values.push_back(size == 8 ? number : single);
    }
    at += (values.size() * size + 7) / 8 * 8;
  }
  return columns;
}

class MetricsEndpointsTest : public ::testing::Test {
 protected:
  http::Response Get(const std::string& path, const std::string& query = "") {
    if (run_ == nullptr) Open(folder_.PathOf("profiler-output"));
    for (const RunEndpoint& endpoint : side_.endpoints) {
      if (endpoint.path == path) return endpoint.answer({run_, Query(query), "", nullptr});
    }
    ADD_FAILURE() << "no endpoint " << path;
    return {};
  }
  Json GetJson(const std::string& path, const std::string& query = "") {
    const http::Response response = Get(path, query);
    EXPECT_EQ(response.status, 200) << response.body;
    return ParseJson(response.body).value();
  }
  void Open(const std::string& profile) {
    RunPlaces places;
    places.id = "run";
    places.profile = profile;
    places.rule_records = folder_.PathOf("rule-output");
    run_ = std::make_shared<OpenRun>(places);
  }
  void WriteMoments(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += MomentText(kStart + i, i, 100 - i, 50);
    // As monitors do: a reader sees the file whole under its final name.
    folder_.Write(kUnfinished, text);
    folder_.Rename(kUnfinished, kMetrics);
  }

  ProfilerFolderForTest folder_;
  std::shared_ptr<OpenRun> run_;
  RunEndpoints side_ = MetricsEndpoints();
};

TEST_F(MetricsEndpointsTest, ListsNodesAndMetrics) {
  WriteMoments(100);
  const Json list = GetJson("metrics");
  EXPECT_EQ(list["start"], kStart);
  EXPECT_EQ(list["end"], kStart + 99);
  EXPECT_EQ(list["interval"], 1.0);
  EXPECT_EQ(list["state"]["done"], true);
  EXPECT_EQ(list["problems"].size(), 0);
  ASSERT_EQ(list["nodes"].size(), 1);
  const Json& node = list["nodes"][0];
  EXPECT_EQ(node["name"], "algo-1");
  EXPECT_EQ(node["cores"], Json({"cpu0", "cpu1"}));
  EXPECT_EQ(node["gpus"], Json({"gpu0"}));
  ASSERT_EQ(node["metrics"].size(), 5);
  EXPECT_EQ(node["metrics"][0]["key"], "cpu/cpu0/CPUUtilization");
  EXPECT_EQ(node["metrics"][0]["unit"], "%");
  EXPECT_EQ(node["metrics"][3]["unit"], "B/s");
}

TEST_F(MetricsEndpointsTest, SumsUpUtilisation) {
  WriteMoments(100);
  const auto row = [](const Json& rows, std::string_view group) {
    for (const Json& one : rows) {
      if (one["group"] == group) return one;
    }
    return Json();
  };
  const Json all = GetJson("metrics/summary");
  EXPECT_EQ(row(all, "CPU")["p50"], 50.0);
  EXPECT_EQ(row(all, "GPU")["max"], 50.0);
  EXPECT_EQ(row(all, "Network in")["p99"], 100.0);
  EXPECT_EQ(row(all, "Network in")["unit"], "B/s");
  EXPECT_TRUE(row(all, "Disk read")["p50"].is_null());
  EXPECT_EQ(all.size(), 9);
}

TEST_F(MetricsEndpointsTest, SendsSeries) {
  WriteMoments(100);
  const http::Response response =
      Get("metrics/series", "node=algo-1&key=cpu&key=cpu/cpu0/CPUUtilization&key=no&points=1000");
  ASSERT_EQ(response.status, 200);
  const Columns columns = Decode(response.body);
  EXPECT_EQ(columns.header["series"][0]["found"], true);
  EXPECT_EQ(columns.header["series"][1]["unit"], "%");
  EXPECT_EQ(columns.header["series"][2]["found"], false);
  ASSERT_EQ(columns.values.at("x0").size(), 100);
  EXPECT_EQ(columns.values.at("mean0")[7], 50);
  EXPECT_EQ(columns.values.at("x1")[7], kStart + 7);
  EXPECT_EQ(columns.values.at("high1")[7], 7);
  EXPECT_TRUE(columns.values.at("x2").empty());
  const Columns few = Decode(Get("metrics/series", "key=cpu/cpu0/CPUUtilization&points=10").body);
  EXPECT_LE(few.values.at("x0").size(), 10);
  EXPECT_EQ(few.values.at("low0")[0], 0);
  const std::string range = "key=cpu&from=1700000050&to=1700000060";
  EXPECT_EQ(Decode(Get("metrics/series", range).body).values.at("x0").size(), 13);
}

TEST_F(MetricsEndpointsTest, SendsTheHeatmap) {
  WriteMoments(100);
  const Columns columns = Decode(Get("metrics/heatmap", "node=algo-1&columns=3").body);
  ASSERT_EQ(columns.header["rows"].size(), 3);
  EXPECT_EQ(columns.header["rows"][0]["kind"], "cpu");
  EXPECT_EQ(columns.header["rows"][2]["name"], "gpu0");
  ASSERT_EQ(columns.values.at("x").size(), 3);
  ASSERT_EQ(columns.values.at("values").size(), 9);
  EXPECT_EQ(columns.values.at("values")[8], 50);
}

TEST_F(MetricsEndpointsTest, MarksStepsAndFindings) {
  WriteMoments(3);
  std::string spans =
      R"([{"name":"process_name","ph":"M","pid":0,"args":{"name":"Step:ModeKeys.TRAIN"}},)"
      R"({"name":"process_name","ph":"M","pid":0,"args":{"start_time_since_epoch_in_micros":)"
      R"(1700000040000000}})";
  for (int i = 0; i < 50; ++i) {
    spans += fmt::format(
        R"(,{{"name":"s","ph":"X","pid":0,"tid":1,"ts":{},"dur":{},"args":{{"step_num":"{}"}}}})",
        i * 100'000, i == 30 ? 90'000 : 1000, i);
  }
  folder_.Write(kTimeline, spans + "]");
  rules::Finding timed;
  timed.id = 1;
  timed.step = -1;
  timed.time_s = kStart + 2;
  timed.message = "the GPU idles";
  rules::Finding stepped;
  stepped.id = 2;
  stepped.step = 20;
  rules::Finding unknown;
  unknown.id = 3;
  unknown.step = 5000;
  const auto line = [](const rules::Finding& finding) {
    return rules::ToJson(finding).dump() + "\n";
  };
  folder_.Write("rule-output/LowGPUUtilization/firings.jsonl",
                "{broken\n" + line(timed) + line(stepped) + line(unknown));
  stepped.id = 4;
  stepped.step = 21;
  folder_.Write("rule-output/LowGPUUtilization/status.json",
                Json{{"findings", {rules::ToJson(timed), rules::ToJson(stepped)}}}.dump());
  folder_.Write("rule-output/Other/status.json", "[]");
  const Json marks = GetJson("metrics/marks");
  EXPECT_EQ(marks["loop"][0], kStart);
  EXPECT_NEAR(marks["loop"][1].get<double>(), kStart + 4.901, 1e-6);
  ASSERT_EQ(marks["outliers"].size(), 1);
  EXPECT_EQ(marks["outliers"][0]["step"], 30);
  EXPECT_EQ(marks["outliers"][0]["duration"], 0.09);
  EXPECT_EQ(marks["outliers"][0]["usual"], 0.001);
  ASSERT_EQ(marks["findings"].size(), 4);
  EXPECT_EQ(marks["findings"][0]["time"], kStart + 2);
  EXPECT_EQ(marks["findings"][0]["message"], "the GPU idles");
  EXPECT_EQ(marks["findings"][1]["time"], kStart + 2);
  // The timeline does not have that step; the saved tensors may.
  EXPECT_TRUE(marks["findings"][2]["time"].is_null());
  EXPECT_EQ(marks["findings"][2]["step"], 5000);
  EXPECT_NEAR(marks["findings"][3]["time"].get<double>(), kStart + 2.1, 1e-6);
  EXPECT_EQ(GetJson("metrics/marks", "from=1&to=2")["findings"].size(), 0);
}

TEST_F(MetricsEndpointsTest, AnswersForRunsWithoutMetrics) {
  for (const std::string& profile : {std::string(), std::string("/nowhere")}) {
    Open(profile);
    EXPECT_TRUE(GetJson("metrics")["start"].is_null());
    EXPECT_EQ(GetJson("metrics/summary"), Json::array());
    EXPECT_TRUE(Decode(Get("metrics/series", "key=cpu").body).values.at("x0").empty());
    EXPECT_TRUE(Decode(Get("metrics/heatmap").body).values.at("x").empty());
    EXPECT_TRUE(GetJson("metrics/marks")["loop"].is_null());
    EXPECT_TRUE(side_.live(*run_).is_null());
  }
}

TEST_F(MetricsEndpointsTest, RefusesWhatCannotBe) {
  WriteMoments(3);
  const auto refused = [&](const std::string& path, const std::string& query) {
    const http::Response response = Get(path, query);
    EXPECT_EQ(response.status, 400) << path << " " << query;
    return ParseJson(response.body).value()["message"].get<std::string>();
  };
  EXPECT_EQ(refused("metrics/series", ""), "key is given 0 times; expected 1 to 64");
  std::string many;
  for (int i = 0; i < 65; ++i) many += "&key=cpu";
  refused("metrics/series", many);
  refused("metrics/series", "key=cpu&points=1");
  refused("metrics/series", "key=cpu&points=4001");
  EXPECT_EQ(refused("metrics/series", "key=cpu&from=5&to=4"),
            "from is '5'; expected a time before to ('4')");
  refused("metrics/series", "key=cpu&from=nan");
  refused("metrics/heatmap", "columns=0");
  refused("metrics/heatmap", "columns=99999999999999999999");
  refused("metrics/summary", "from=x");
  refused("metrics/marks", "to=inf");
  EXPECT_EQ(Get("metrics/series", "key=cpu&node=algo-7").status, 404);
  EXPECT_EQ(Get("metrics/heatmap", "node=%00").status, 404);
}

TEST_F(MetricsEndpointsTest, TellsOfNewMoments) {
  Open(folder_.PathOf("profiler-output"));
  EXPECT_EQ(side_.live_event, "metrics");
  EXPECT_TRUE(side_.live(*run_).is_null());
  WriteMoments(4);
  while (side_.live(*run_).is_null()) std::this_thread::yield();
  while (side_.live(*run_)["time"] != kStart + 3) std::this_thread::yield();
  EXPECT_EQ(GetJson("metrics")["end"], kStart + 3);
}

TEST_F(MetricsEndpointsTest, ShowsTheRecordedRun) {
  Open(timeline::kRecorded / "run");
  const Json list = GetJson("metrics");
  EXPECT_EQ(list["nodes"].size(), 2);
  EXPECT_EQ(list["nodes"][0]["gpus"].size(), 2);
  EXPECT_EQ(GetJson("metrics/summary").size(), 18);
  EXPECT_FALSE(GetJson("metrics/marks")["loop"].is_null());
}

}  // namespace
}  // namespace warden::dashboard
