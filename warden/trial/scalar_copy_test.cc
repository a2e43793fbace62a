#include "warden/trial/scalar_copy.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "warden/format/event_message.h"
#include "warden/format/record.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/os/whole_file.h"
#include "warden/storage/mem_store.h"
#include "warden/trial/trial_for_test.h"

namespace warden::trial {
namespace {

using Points = std::map<std::string, std::vector<std::pair<Step, float>>>;

// What TensorBoard would see in a file.
Points PointsIn(const std::string& path) {
  Points points;
  const auto text = os::ReadWholeFile(path);
  EXPECT_TRUE(text) << path;
  if (!text) return points;
  format::RecordReader reader(AsBytes(*text), format::Check::kFull);
  while (!reader.done()) {
    const auto event = format::ParseEvent(reader.Next().value());
    EXPECT_TRUE(event.ok());
    EXPECT_EQ(event.value().wall_time, kTestWallTime + static_cast<double>(event.value().step));
    for (const format::EventValue& value : event.value().values) {
      points[std::string(value.tag)].emplace_back(event.value().step, value.scalar);
    }
  }
  return points;
}

class ScalarCopyTest : public testing::Test {
 protected:
  void Open() {
    auto trial = Trial::Open(store_, LookOptions());
    ASSERT_TRUE(trial.ok()) << trial.status().message();
    trial_ = std::move(trial.value());
  }

  std::shared_ptr<storage::Store> store_ = storage::NewMemStore();
  RunBuilder run_{store_.get()};
  os::TempFolder folder_;
  std::unique_ptr<Trial> trial_;
};

TEST_F(ScalarCopyTest, CopiesWhatHasOneElementByModeAndContinues) {
  run_.Manifests(1);
  run_.Step(0, 0, {{"loss", 0.5F}, {"accuracy", 0.25F}}, {.mode = Mode::kTrain, .mode_step = 0});
  run_.Step(1, 0, {{"loss", 0.75F}}, {.mode = Mode::kEval, .mode_step = 0});
  run_.Tensors(2, 0, {{"weight", FloatTensor({2}, {1, 2})}, {"loss", FloatTensor({1}, {0.4F})}},
               {.mode = Mode::kTrain, .mode_step = 1});
  Open();
  ScalarCopy copy(store_, trial_.get(), folder_.File("tb"));
  EXPECT_EQ(copy.Update().value(), 4u);
  const std::string train = folder_.File("tb/TRAIN/events.out.tfevents.0.warden");
  EXPECT_EQ(PointsIn(train),
            (Points{{"accuracy", {{0, 0.25F}}}, {"loss", {{0, 0.5F}, {2, 0.4F}}}}));
  EXPECT_EQ(PointsIn(folder_.File("tb/EVAL/events.out.tfevents.0.warden")),
            (Points{{"loss", {{1, 0.75F}}}}));

  EXPECT_EQ(copy.Update().value(), 0u);
  run_.Step(3, 0, {{"loss", 0.3F}}, {.mode = Mode::kTrain, .mode_step = 2});
  ASSERT_TRUE(trial_->Refresh().ok());
  EXPECT_EQ(copy.Update().value(), 1u);
  EXPECT_EQ(PointsIn(train)["loss"],
            (std::vector<std::pair<Step, float>>{{0, 0.5F}, {2, 0.4F}, {3, 0.3F}}));
}

TEST_F(ScalarCopyTest, KeepsWorkersApart) {
  run_.Manifests(2);
  run_.Step(0, 0, {{"loss", 1}});
  run_.Step(0, 1, {{"loss", 2}});
  Open();
  EXPECT_EQ(ScalarCopy(store_, trial_.get(), folder_.File("tb")).Update().value(), 2u);
  const std::string file = "/events.out.tfevents.0.warden";
  EXPECT_EQ(PointsIn(folder_.File("tb/GLOBAL/worker_0" + file))["loss"][0].second, 1);
  EXPECT_EQ(PointsIn(folder_.File("tb/GLOBAL/worker_1" + file))["loss"][0].second, 2);
}

TEST_F(ScalarCopyTest, NamesTheFileThatCannotBeWritten) {
  run_.Manifests(1);
  run_.Step(0, 0, {{"loss", 1}});
  Open();
  const auto copied = ScalarCopy(store_, trial_.get(), "/dev/null/tb").Update();
  ASSERT_FALSE(copied.ok());
  EXPECT_NE(copied.status().message().find("/dev/null/tb/GLOBAL"), std::string::npos);
}

}  // namespace
}  // namespace warden::trial
