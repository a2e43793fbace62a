#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "warden/base/json.h"
#include "warden/dashboard/tensors/series_view.h"
#include "warden/dashboard/tensors/tensor_endpoints.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/local_store.h"
#include "warden/storage/storage_for_test.h"
#include "warden/trial/trial_for_test.h"

namespace warden::dashboard {
namespace {

using Numbers = std::vector<double>;
using trial::FloatTensor;

constexpr std::chrono::minutes kLong{1};

struct Told {
  int status = 0;
  Json header;  // Or the whole answer, if it has no columns.
  std::map<std::string, Numbers> columns = {};
};

template <class T>
Numbers Load(const char* at, size_t count) {
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), at, count * sizeof(T));
  return Numbers(values.begin(), values.end());
}

Told Parse(const http::Response& response) {
  if (!response.body.starts_with("WCOL")) {
    return {response.status, ParseJson(response.body).value()};
  }
  uint32_t length = 0;
  std::memcpy(&length, response.body.data() + 4, sizeof(length));
  Told told{response.status, ParseJson(std::string_view(response.body).substr(8, length)).value()};
  const char* at = response.body.data() + 8 + length;
  for (const Json& column : told.header["columns"]) {
    const size_t count = column["length"];
    const std::string type = column["type"];
    const size_t size = type == "f64" ? 8 : type == "f32" ? 4 : 1;
    told.columns[column["name"]] = size == 8   ? Load<double>(at, count)
                                   : size == 4 ? Load<float>(at, count)
                                               : Load<uint8_t>(at, count);
    at += (size * count + 7) / 8 * 8;
  }
  return told;
}

// A run in a folder of its own, opened as the dashboard does.
class OneRun {
 public:
  OneRun() {
    RunPlaces places;
    places.id = "a";
    places.name = "the run";
    places.tensors = folder_.path();
    run_ = std::make_shared<OpenRun>(places);
  }
  trial::RunBuilder& builder() { return builder_; }
  const std::shared_ptr<OpenRun>& run() {
    EXPECT_TRUE(SeriesOf(*run_).value()->WaitUntilRead(kLong));
    return run_;
  }

 private:
  os::TempFolder folder_;
  std::unique_ptr<storage::Store> store_ = storage::NewLocalStore(folder_.path());
  trial::RunBuilder builder_{store_.get()};
  std::shared_ptr<OpenRun> run_;
};

class SeriesEndpointsTest : public testing::Test {
 protected:
  SeriesEndpointsTest() {
    a_.builder().Manifests(1);
    for (int i = 0; i < 10; ++i) {
      const trial::StepOptions options{.mode = Mode::kTrain, .mode_step = i};
      a_.builder().Tensors(i * 5, 0,
                           {{"loss_output_0", FloatTensor({}, {static_cast<float>(i)})},
                            {"w", FloatTensor({2}, {1, static_cast<float>(-i)})}},
                           options);
      b_.builder().Step(i * 5, 0, {{"loss_output_0", i == 9 ? 90.0f : static_cast<float>(i)}},
                        options);
    }
  }

  Told Ask(const std::string& path, const std::string& query = "") {
    RunRequest request{
        a_.run(), Query(query), "", [&](const std::string& id) {
          if (id == "b") return Result<std::shared_ptr<OpenRun>>(b_.run());
          return Result<std::shared_ptr<OpenRun>>(Status(Code::kNotFound, "no run " + id));
        }};
    for (const RunEndpoint& endpoint : side_.endpoints) {
      if (endpoint.path == path) return Parse(endpoint.answer(request));
    }
    ADD_FAILURE() << "no endpoint " << path;
    return {};
  }

  const RunEndpoints side_ = TensorEndpoints();
  OneRun a_, b_;
};

TEST_F(SeriesEndpointsTest, Tensors) {
  const Json list = Ask("tensors").header;
  EXPECT_EQ(list["modes"], Json({"TRAIN"}));
  EXPECT_EQ(list["workers"], Json({"worker_0"}));
  EXPECT_EQ(list["collections"], Json({"losses"}));
  EXPECT_EQ(list["ingested"], Json({{"steps", 10}, {"total", 10}, {"done", true}}));
  EXPECT_EQ(list["problems"], Json::array());
  ASSERT_EQ(list["tensors"].size(), 2u);
  const Json& loss = list["tensors"][0];
  EXPECT_EQ(loss["name"], "loss_output_0");
  EXPECT_EQ(loss["dtype"], "float32");
  EXPECT_EQ(loss["shape"], Json::array());
  EXPECT_EQ(loss["steps"], 10);
  EXPECT_EQ(loss["last"], 45);
  EXPECT_EQ(loss["values"], true);
  EXPECT_EQ(loss["statistics"][0], "value");
  EXPECT_EQ(list["tensors"][1]["shape"], Json({2}));
}

TEST_F(SeriesEndpointsTest, Steps) {
  EXPECT_EQ(Ask("steps").columns["step"].back(), 45);
  const Told train = Ask("steps", "mode=TRAIN");
  EXPECT_EQ(train.columns.at("step").back(), 9);
  EXPECT_EQ(train.columns.at("time").back(), trial::kTestWallTime + 45);
  EXPECT_EQ(Ask("steps", "mode=train-ing").status, 400);
}

TEST_F(SeriesEndpointsTest, Series) {
  const Told told = Ask("series",
                        "tensor=loss_output_0&tensor=w&tensor=gone&statistic=value&statistic=min&"
                        "statistic=l2&mode=TRAIN&from=2&to=4");
  ASSERT_EQ(told.status, 200) << told.header;
  EXPECT_EQ(told.columns.at("x0"), (Numbers{2, 3, 4}));
  EXPECT_EQ(told.columns.at("low0"), (Numbers{2, 3, 4}));
  EXPECT_EQ(told.columns.at("high1"), (Numbers{-2, -3, -4}));
  EXPECT_TRUE(told.columns.at("x2").empty());
  EXPECT_EQ(told.header["series"][0], Json({{"tensor", "loss_output_0"},
                                            {"statistic", "value"},
                                            {"worker", "worker_0"},
                                            {"mode", "TRAIN"},
                                            {"found", true},
                                            {"steps_per_point", 1},
                                            {"nans", 0},
                                            {"first_nan", nullptr}}));
  EXPECT_EQ(told.header["series"][2]["found"], false);
  // Without a statistic: what tells most.
  const Told usual = Ask("series", "tensor=w&tensor=loss_output_0&points=3");
  EXPECT_EQ(usual.header["series"][0]["statistic"], "mean");
  EXPECT_EQ(usual.header["series"][1]["statistic"], "value");
  EXPECT_LE(usual.columns.at("x1").size(), 3u);
  EXPECT_EQ(usual.columns.at("high1").back(), 9);
}

// A mode's steps on the axis of the whole run, where findings are, and over time.
TEST_F(SeriesEndpointsTest, XIsTheModesStepTheGlobalOneOrTheTime) {
  const auto x = [&](const std::string& query) {
    return Ask("series", "tensor=loss_output_0&mode=TRAIN" + query).columns["x0"];
  };
  EXPECT_EQ(x("&x=mode&to=2"), (Numbers{0, 1, 2}));
  EXPECT_EQ(x("&x=global&to=12"), (Numbers{0, 5, 10}));
  EXPECT_EQ(x("&x=time&from=1699999999.5&to=1700000045.5").size(), 10U);
  EXPECT_EQ(x("&x=time&from=1700000045.5"), Numbers());
  EXPECT_EQ(Ask("series", "tensor=loss_output_0&x=hour").header["message"],
            "x is 'hour'; expected mode, global or time");
}

TEST_F(SeriesEndpointsTest, TheFirstNaNIsNamedEvenInAStretchThatHidesIt) {
  a_.builder().Step(50, 0, {{"loss_output_0", NAN}}, {.mode = Mode::kTrain, .mode_step = 10});
  a_.builder().Step(55, 0, {{"loss_output_0", 1.0F}}, {.mode = Mode::kTrain, .mode_step = 11});
  const Json told = Ask("series", "tensor=loss_output_0&mode=TRAIN&x=global&points=2").header;
  EXPECT_EQ(told["series"][0]["nans"], 1);
  EXPECT_EQ(told["series"][0]["first_nan"], 50);
}

TEST_F(SeriesEndpointsTest, HeatmapAndCompare) {
  const Told map = Ask("heatmap", "statistic=abs_max&columns=5");
  ASSERT_EQ(map.status, 200) << map.header;
  EXPECT_EQ(map.header["rows"], Json({"loss_output_0", "w"}));
  EXPECT_EQ(map.header["steps"], Json({{"first", 0.0}, {"last", 45.0}}));
  EXPECT_EQ(map.columns.at("x"), (Numbers{0, 10, 20, 30, 40}));
  EXPECT_EQ(map.columns.at("values"), (Numbers{1, 3, 5, 7, 9, 1, 3, 5, 7, 9}));
  EXPECT_EQ(Ask("heatmap", "collection=losses").header["rows"], Json({"loss_output_0"}));
  EXPECT_EQ(Ask("heatmap", "match=^w$").header["rows"], Json({"w"}));
  EXPECT_EQ(Ask("heatmap", "match=nothing").columns.at("values").size(), 0u);
  EXPECT_EQ(Ask("heatmap", "collection=gone").header["rows"], Json::array());

  const Json comparison = Ask("compare", "a=a&b=b").header;
  EXPECT_EQ(comparison["only_a"], Json({"w"}));
  EXPECT_EQ(comparison["only_b"], Json::array());
  const Json& loss = comparison["tensors"][0];
  EXPECT_EQ(loss["steps"], 10);
  EXPECT_EQ(loss["first_step"], 45);
  EXPECT_EQ(loss["a"], 9);
  EXPECT_EQ(loss["b"], 90);
  EXPECT_DOUBLE_EQ(loss["difference"], 0.9);
}

TEST_F(SeriesEndpointsTest, Ranks) {
  b_.builder().Manifests(2);
  for (const int worker : {0, 1}) {
    for (int i = 0; i < 3; ++i) {
      b_.builder().Step(100 + i, worker,
                        {{"training/step_seconds", 0.5f},
                         {"training/exchange_seconds", worker == 0 ? 0.25f : 0.0f}});
    }
  }
  const auto ask = [&](const std::string& path, const std::string& query) {
    for (const RunEndpoint& endpoint : side_.endpoints) {
      if (endpoint.path == path) return Parse(endpoint.answer({b_.run(), Query(query), "", {}}));
    }
    return Told();
  };
  const Json told = ask("ranks", "").header;
  ASSERT_EQ(told["ranks"].size(), 2u);
  EXPECT_EQ(told["ranks"][0], Json({{"worker", "worker_0"},
                                    {"steps", 3},
                                    {"step_seconds", 0.5},
                                    {"own_seconds", 0.25},
                                    {"exchange_seconds", 0.25},
                                    {"loader_seconds", nullptr},
                                    {"clock", nullptr},
                                    {"slow", false}}));
  EXPECT_EQ(told["ranks"][1]["slow"], true);
  EXPECT_EQ(told["measures"], Json({"step_seconds", "own_seconds", "exchange_seconds"}));
  EXPECT_EQ(told["ingested"]["done"], true);
  const Told map = ask("ranks/map", "of=own_seconds&columns=1");
  EXPECT_EQ(map.header["rows"], Json({"worker_0", "worker_1"}));
  EXPECT_EQ(map.columns.at("x"), (Numbers{100}));
  EXPECT_EQ(map.columns.at("values"), (Numbers{0.25, 0.5}));
  EXPECT_EQ(ask("ranks/map", "of=gone").header["rows"], Json::array());
}

TEST_F(SeriesEndpointsTest, WhatIsNotAcceptedIsNamed) {
  const std::pair<std::string, std::string> refused[] = {
      {"series", ""},
      {"series", "tensor=w&statistic=median"},
      {"series", "tensor=w&statistic=min&statistic=max"},
      {"series", "tensor=w&points=1"},
      {"series", "tensor=w&points=4001"},
      {"series", "tensor=w&from=nan"},
      {"series", "tensor=w&mode=NONE"},
      {"heatmap", "match=("},
      {"heatmap", "columns=0"},
      {"heatmap", "statistic=x"},
      {"ranks/map", ""},
      {"ranks/map", "of=step_seconds&columns=0"},
      {"compare", ""},
      {"compare", "b=b&mode=x"},
  };
  for (const auto& [path, query] : refused) {
    const Told told = Ask(path, query);
    EXPECT_EQ(told.status, 400) << path << "?" << query;
    EXPECT_FALSE(told.header["message"].empty());
  }
  EXPECT_EQ(Ask("compare", "b=gone").status, 404);
  std::string many = "tensor=w";
  for (int i = 0; i < 64; ++i) many += "&tensor=w";
  EXPECT_EQ(Ask("series", many).status, 400);
}

TEST_F(SeriesEndpointsTest, LiveTellsOfSteps) {
  EXPECT_EQ(side_.live_event, "steps");
  EXPECT_EQ(side_.live(*a_.run()),
            Json({{"last_step", 45}, {"steps", 10}, {"ingested", 10}, {"total", 10}}));
  // A run that has not begun, and one that never will.
  EXPECT_TRUE(side_.live(*OneRun().run()).is_null());
  OpenRun without{RunPlaces()};
  EXPECT_TRUE(side_.live(without).is_null());
  EXPECT_EQ(SeriesOf(without).status().code(), Code::kNotFound);
}

TEST_F(SeriesEndpointsTest, RunWithoutTensorsHasAnEmptyList) {
  const auto without = std::make_shared<OpenRun>(RunPlaces());
  for (const RunEndpoint& endpoint : side_.endpoints) {
    if (endpoint.path != "tensors" && endpoint.path != "series") continue;
    const Told told = Parse(endpoint.answer({without, Query("tensor=w"), "", nullptr}));
    EXPECT_EQ(told.status, endpoint.path == "tensors" ? 200 : 404) << endpoint.path;
    if (told.status != 200) continue;
    EXPECT_EQ(told.header["tensors"], Json::array());
    EXPECT_EQ(told.header["ingested"], Json({{"steps", 0}, {"total", 0}, {"done", true}}));
  }
}

}  // namespace
}  // namespace warden::dashboard
