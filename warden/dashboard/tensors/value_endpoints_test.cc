#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "warden/base/json.h"
#include "warden/dashboard/tensors/tensor_endpoints.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/local_store.h"
#include "warden/storage/storage_for_test.h"
#include "warden/trial/trial_for_test.h"

namespace warden::dashboard {
namespace {

using trial::FloatTensor;
using trial::MakeTensor;

// An answer in columns, taken apart.
struct Answer {
  int status = 0;
  Json header;
  std::map<std::string, std::vector<double>> columns = {};  // f64 and f32.
};

Answer ParseColumns(const http::Response& response) {
  if (response.status != 200) return {response.status, ParseJson(response.body).value()};
  uint32_t length = 0;
  std::memcpy(&length, response.body.data() + 4, sizeof(length));
  Answer answer{200, ParseJson(std::string_view(response.body).substr(8, length)).value()};
  const char* at = response.body.data() + 8 + length;
  for (const Json& column : answer.header["columns"]) {
    auto& values = answer.columns[column["name"]];
    const size_t size = column["type"] == "f64" ? 8 : 4;
    for (size_t i = 0; i < column["length"]; ++i) {
      double wide = 0;
      float narrow = 0;
      if (size == 8) std::memcpy(&wide, at + i * size, size);
      if (size == 4) std::memcpy(&narrow, at + i * size, size);
      values.push_back(size == 8 ? wide : narrow);
    }
    at += (size * values.size() + 7) / 8 * 8;
  }
  return answer;
}

std::shared_ptr<OpenRun> RunIn(const std::string& tensors) {
  RunPlaces places;
  places.name = "mine";
  places.tensors = tensors;
  return std::make_shared<OpenRun>(places);
}

class ValueEndpointsTest : public testing::Test {
 protected:
  ValueEndpointsTest() {
    builder_.Tensors(
        3, 0,
        {{"w", FloatTensor({2, 3}, {0, 1, 2, 3, 4, 5})},
         {"big", MakeTensor<int64_t>(DType::kInt64, {2}, {(int64_t{1} << 60) + 1, 1})},
         {"z", MakeTensor<double>(DType::kComplex128, {1}, {3, 4})},
         {"on", MakeTensor<uint8_t>(DType::kBool, {2}, {0, 1})},
         {"half", MakeTensor<uint16_t>(DType::kFloat16, {}, {0x3c00})},
         {"brain", MakeTensor<uint16_t>(DType::kBFloat16, {1}, {0x4040})},
         {"wide", FloatTensor({1025, 1024}, std::vector<float>(1025 * 1024, 1))},
         {"text", {.dtype = DType::kString, .shape = {3}, .strings = {"a", "b\xff", "c"}}},
         {"act", FloatTensor({1, 1, 2}, {1, 2})},
         {"grad", FloatTensor({1, 1, 2}, {1, 1})},
         {"labels", MakeTensor<int64_t>(DType::kInt64, {4}, {0, 0, 1, 1})},
         {"probabilities", FloatTensor({4}, {.125F, .75F, .5F, 1})},
         {"attention", FloatTensor({1, 2, 1, 2}, {.5F, .5F, 1, 0})}},
        {Mode::kTrain, 1});
  }
  Answer Ask(const std::string& path, const std::string& query) {
    const auto endpoints = ValueEndpoints();
    const auto found = std::find_if(endpoints.begin(), endpoints.end(),
                                    [&](const RunEndpoint& e) { return e.path == path; });
    EXPECT_NE(found, endpoints.end());
    return ParseColumns(found->answer({run_, Query(query), {}, {}}));
  }
  std::string Refused(const std::string& path, const std::string& query, int status) {
    const Answer answer = Ask(path, query);
    EXPECT_EQ(answer.status, status) << query;
    return answer.header.value("message", "");
  }

  os::TempFolder folder_;
  std::unique_ptr<storage::Store> store_ = storage::NewLocalStore(folder_.path());
  trial::RunBuilder builder_{store_.get()};
  std::shared_ptr<OpenRun> run_ = RunIn(folder_.path());
};

TEST_F(ValueEndpointsTest, ValueIsSlicedAndSummarised) {
  const Answer answer = Ask("value", "tensor=w&step=3&slice=1,::2");
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header["dtype"], "float32");
  EXPECT_EQ(answer.header["shape"], Json({2, 3}));
  EXPECT_EQ(answer.header["sliced_shape"], Json({2}));
  EXPECT_EQ(answer.header["slice"], "1, 0:3:2");
  EXPECT_EQ(answer.header["worker"], "worker_0");
  EXPECT_EQ(answer.columns.at("values"), (std::vector<double>{3, 5}));
  const Json& summary = answer.header["summary"];
  EXPECT_EQ(summary["count"], 6);
  EXPECT_EQ(summary["max"], 5);
  EXPECT_EQ(summary["mean"], 2.5);
  EXPECT_NEAR(summary["std"].get<double>(), 1.7078, 1e-4);
  EXPECT_NEAR(summary["zeros"].get<double>(), 1.0 / 6, 1e-9);
  EXPECT_EQ(Ask("value", "tensor=w&mode=TRAIN&step=1").columns.at("values").size(), 6U);
}

TEST_F(ValueEndpointsTest, ValueOfEveryType) {
  const auto values = [&](const std::string& tensor) {
    return Ask("value", "step=3&tensor=" + tensor).columns["values"];
  };
  EXPECT_EQ(values("on"), (std::vector<double>{0, 1}));
  EXPECT_EQ(values("half"), (std::vector<double>{1}));
  EXPECT_EQ(values("brain"), (std::vector<double>{3}));
  EXPECT_EQ(values("z"), (std::vector<double>{5}));
  EXPECT_EQ(values("big"), (std::vector<double>{0x1p60, 1}));
  EXPECT_EQ(Ask("value", "step=3&tensor=z").header["note"],
            "Complex numbers are shown as their magnitudes.");
  EXPECT_EQ(Ask("value", "step=3&tensor=big").header["note"], "Integers beyond 2^53 are rounded.");
  EXPECT_FALSE(Ask("value", "step=3&tensor=on").header.contains("note"));
}

TEST_F(ValueEndpointsTest, ValueOfStrings) {
  const Answer answer = Ask("value", "step=3&tensor=text&slice=::-1");
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header["dtype"], "str");
  EXPECT_EQ(answer.header["strings"], Json({"c", "b\xef\xbf\xbd", "a"}));
  EXPECT_TRUE(answer.columns.empty());
}

TEST_F(ValueEndpointsTest, ValueRefuses) {
  EXPECT_EQ(
      Refused("value", "tensor=wide&step=3", 413),
      "slice ':, :' has 1025 x 1024 elements; expected at most 1048576. Choose a smaller slice");
  EXPECT_EQ(Ask("value", "tensor=wide&step=3&slice=1:").columns.at("values").size(), 1U << 20);
  EXPECT_EQ(Refused("value", "step=3", 400), "tensor is missing");
  EXPECT_EQ(Refused("value", "tensor=w", 400), "step is missing");
  EXPECT_NE(Refused("value", "tensor=w&step=-1", 400).find("step is '-1'"), std::string::npos);
  EXPECT_NE(Refused("value", "tensor=w&step=3&mode=X", 400).find("mode is 'X'"), std::string::npos);
  EXPECT_NE(Refused("value", "tensor=w&step=3&slice=2", 400).find("axis 0"), std::string::npos);
  EXPECT_EQ(Refused("value", "tensor=w&step=9", 404),
            "step 9 of mode GLOBAL was not saved; nearest saved steps: 3");
  EXPECT_EQ(Refused("value", "tensor=q&step=3", 404),
            "tensor 'q' at step 3 of mode GLOBAL was not saved");
  Refused("value", "tensor=w&step=3&worker=x", 400);
}

TEST_F(ValueEndpointsTest, Distributions) {
  const Answer answer = Ask("distributions", "tensor=w&bins=2");
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header["kind"], "values");
  EXPECT_EQ(answer.header["count"], 6);
  EXPECT_EQ(answer.header["scale"], "linear");
  EXPECT_EQ(answer.columns.at("steps"), (std::vector<double>{3}));
  EXPECT_EQ(answer.columns.at("edges"), (std::vector<double>{0, 2.5, 5}));
  EXPECT_EQ(answer.columns.at("counts"), (std::vector<double>{3, 3}));
  EXPECT_EQ(answer.columns.at("quantiles").size(), 9U);
  EXPECT_EQ(Ask("distributions", "tensor=w&mode=TRAIN").columns.at("steps"),
            (std::vector<double>{1}));
  EXPECT_EQ(Refused("distributions", "tensor=none", 404), "tensor 'none' not found in mode GLOBAL");
  EXPECT_EQ(Refused("distributions", "tensor=w&rows=0", 400),
            "rows is '0'; expected an integer from 1 to 400");
  Refused("distributions", "tensor=w&bins=100000", 400);
  Refused("distributions", "tensor=text", 400);
}

TEST_F(ValueEndpointsTest, ActivationMap) {
  const Answer answer = Ask("activation_map", "activation=act&gradient=grad&step=3");
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header["shape"], Json({1, 2}));
  EXPECT_EQ(answer.header["channels"], 1);
  EXPECT_EQ(answer.columns.at("values"), (std::vector<double>{0.5, 1}));
  EXPECT_EQ(Ask("activation_map", "activation=act&step=3").columns.at("values"),
            (std::vector<double>{0, 1}));
  Refused("activation_map", "activation=w&step=3", 400);
  Refused("activation_map", "activation=act&gradient=w&step=3", 400);
  Refused("activation_map", "activation=act&step=3&image=1", 400);
}

TEST_F(ValueEndpointsTest, Classification) {
  const Answer answer =
      Ask("classification", "labels=labels&predictions=probabilities&mode=TRAIN&step=1");
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header["scores"], "probabilities");
  EXPECT_EQ(answer.header["accuracy"], 0.5);
  EXPECT_EQ(answer.header["classes"][1]["labeled"], 2);
  EXPECT_EQ(answer.columns.at("matrix"), (std::vector<double>{1, 1, 1, 1}));
  const Json& curve = answer.header["curves"][0];
  EXPECT_EQ(curve["class"], 1);
  EXPECT_EQ(curve["auc"], 0.75);
  EXPECT_EQ(curve["points"], 5);
  EXPECT_EQ(answer.columns.at("true_positives"), (std::vector<double>{0, 1, 1, 2, 2}));
  EXPECT_EQ(answer.columns.at("false_positives"), (std::vector<double>{0, 0, 1, 1, 2}));
  EXPECT_EQ(answer.header["calibration"].size(), 10U);
  Refused("classification", "labels=labels&predictions=w&step=3", 400);
  Refused("classification", "labels=labels&predictions=none&step=3", 404);
  EXPECT_EQ(Refused("classification", "labels=labels&step=3", 400), "predictions is missing");
}

TEST_F(ValueEndpointsTest, Attention) {
  const Answer answer = Ask("attention", "tensor=attention&step=3");
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header["heads"][0]["pattern"], "uniform");
  EXPECT_EQ(answer.header["heads"][1]["pattern"], "one key");
  EXPECT_EQ(answer.header["heads"][0]["entropy"], 1);
  EXPECT_EQ(answer.header["width"], 2);
  EXPECT_EQ(answer.columns.at("weights"), (std::vector<double>{.5, .5, 1, 0}));
  Refused("attention", "tensor=w&step=3", 400);
  Refused("attention", "tensor=attention&step=3&sample=1", 400);
}

TEST_F(ValueEndpointsTest, ARunWithoutTensors) {
  run_ = RunIn("");
  EXPECT_EQ(Refused("value", "tensor=w&step=3", 404), "run 'mine' has no tensors");
}

}  // namespace
}  // namespace warden::dashboard
