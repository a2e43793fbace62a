#include "warden/format/layout.h"

#include <gtest/gtest.h>

namespace warden::format {
namespace {

constexpr std::string_view kDevice = "/job:worker/replica:0/task:1/device:GPU:0";
constexpr std::string_view kDeviceFile = "_job-worker_replica-0_task-1_device-GPU-0";

TEST(Layout, Keys) {
  EXPECT_EQ(EventFileKey(123456, "worker_0"), "events/000000123456/000000123456_worker_0.tfevents");
  EXPECT_EQ(IndexFileKey(123456, "worker_0"), "index/000000123/000000123456_worker_0.json");
  EXPECT_EQ(IndexFileKey(999, "worker_0"), "index/000000000/000000000999_worker_0.json");
  EXPECT_EQ(ManifestKey("worker_0"), "collections/000000000/worker_0_collections.json");
  EXPECT_EQ(TensorBoardKey(Mode::kEval, 7, 42, "host"), "EVAL/000000000007_42_host.tfevents");
}

TEST(Layout, StepsOfMoreThanTwelveDigits) {
  EXPECT_EQ(IndexFileKey(1234567890123456, "w"), "index/1234567890123/1234567890123456_w.json");
  const auto name = ParseStepFileName("index/1234567890123/1234567890123456_w.json");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->step, 1234567890123456);
}

TEST(Layout, DeviceWorkersBothWays) {
  EXPECT_EQ(WorkerToFileName(kDevice), kDeviceFile);
  EXPECT_EQ(WorkerFromFileName(kDeviceFile), kDevice);
  EXPECT_EQ(WorkerToFileName("chief_0"), "chief_0");
  EXPECT_EQ(WorkerFromFileName("chief_0"), "chief_0");
  EXPECT_EQ(ParseStepFileName(IndexFileKey(7, kDevice))->worker, kDevice);
  EXPECT_EQ(ParseStepFileName(EventFileKey(7, kDevice))->worker, kDevice);
  EXPECT_EQ(ParseManifestKey(ManifestKey(kDevice)), kDevice);
}

TEST(Layout, StepFileNames) {
  for (const std::string_view ending : {".json", ".csv", ".tfevents"}) {
    const auto name = ParseStepFileName("a/b/000000000007_worker_0" + std::string(ending));
    ASSERT_TRUE(name) << ending;
    EXPECT_EQ(name->step, 7);
    EXPECT_EQ(name->worker, "worker_0");
  }
}

TEST(Layout, DoubleUnderscoresElsewhereChangeNothing) {
  EXPECT_EQ(ParseStepFileName("my__runs/index/000000000/000000000007_worker_0.json")->worker,
            "worker_0");
  EXPECT_EQ(ParseStepFileName("000000000007_my__worker.json")->worker, "my__worker");
  EXPECT_EQ(ParseManifestKey("my__runs/collections/000000000/my__worker_collections.json"),
            "my__worker");
}

TEST(Layout, ForeignNamesArePassedOver) {
  for (const std::string_view name :
       {"", "x", "7_w", "_w.json", "7.json", "7_.json", "w_7.json", "-7_w.json", "+7_w.json",
        "7_w.json.tmp", "7_w.tfevents.tmp", "7w_0.json", " 7_w.json", ".json",
        "9223372036854775808_w.json", "99999999999999999999999_w.json", "7_w.json/"}) {
    EXPECT_FALSE(ParseStepFileName(name)) << name;
  }
  EXPECT_EQ(ParseStepFileName("9223372036854775807_w.json")->step, 9223372036854775807);
}

TEST(Layout, ManifestNames) {
  EXPECT_EQ(ParseManifestKey("collections/000000000/worker_12_collections.json"), "worker_12");
  for (const std::string_view name : {"", "_collections.json", "collections.json",
                                      "worker_0_collections.json.tmp", "worker_0.json"}) {
    EXPECT_FALSE(ParseManifestKey(name)) << name;
  }
}

}  // namespace
}  // namespace warden::format
