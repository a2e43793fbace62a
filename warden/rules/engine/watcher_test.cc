#include "warden/rules/engine/watcher.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "warden/rules/rules_for_test.h"
#include "warden/storage/store.h"

namespace warden::rules {
namespace {

using std::chrono::milliseconds;

// On a local disk, where the store tells of what is new.
class WatcherTest : public testing::Test {
 protected:
  WatcherTest() {
    std::filesystem::remove_all(folder_);
    store_ = storage::OpenStore(folder_).value();
  }
  ~WatcherTest() override { std::filesystem::remove_all(folder_); }

  void Save(Step step, float value) {
    trial::RunBuilder(store_.get()).Step(step, 0, {{"gradient/a", value}});
  }

  // Follows the run by that rule until it ends or `stop`; what was found, in order.
  std::vector<Finding> Follow(const std::string& rule, const std::function<bool()>& stop) {
    std::vector<std::string> notices;
    auto rules = PrepareRules(ParseRuleText(rule).value(), &notices);
    EXPECT_TRUE(rules.ok()) << rules.status().message();
    auto engine = Engine::Make(std::move(rules.value()), nullptr, {});
    Records records;
    std::vector<Finding> found;
    WatcherEvents events;
    events.found = [&](const RuleState&, const Finding& finding) { found.push_back(finding); };
    Watcher watcher(engine.value().get(), &records, events);
    const Status status = watcher.Follow(OpenerOf(store_, stop), stop, /*only_stop_ends=*/false);
    EXPECT_TRUE(status.ok()) << status.message();
    reports_ = watcher.Reports(/*over=*/true);
    return found;
  }

  const std::string folder_ =
      std::filesystem::temp_directory_path() / ("watcher-test-" + std::to_string(getpid()));
  std::shared_ptr<storage::Store> store_;
  std::vector<RuleReport> reports_;
};

TEST_F(WatcherTest, EvaluatesARunThatGrowsToItsEnd) {
  std::thread training([this] {
    std::this_thread::sleep_for(milliseconds(50));
    trial::RunBuilder(store_.get()).Manifests(1);
    for (Step step = 0; step < 20; ++step) {
      Save(step, step == 13 ? 0.f : 1.f);
      std::this_thread::sleep_for(milliseconds(2));
    }
    trial::RunBuilder(store_.get()).End();
  });
  const auto found = Follow("VanishingGradient", [] { return false; });
  training.join();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].step, 13);
  EXPECT_EQ(reports_[0].coverage.steps, 20);
}

TEST_F(WatcherTest, EndsWhenItIsToldTo) {
  trial::RunBuilder(store_.get()).Manifests(1);
  Save(0, 0);
  const auto begin = std::chrono::steady_clock::now();
  const auto found = Follow("VanishingGradient", [&] {
    return std::chrono::steady_clock::now() - begin > milliseconds(300);
  });
  EXPECT_EQ(found.size(), 1u);
  EXPECT_EQ(reports_[0].status, RuleStatus::kIssuesFound);
}

TEST_F(WatcherTest, SilenceIsEvaluated) {
  trial::RunBuilder(store_.get()).Manifests(1);
  Save(0, 1);
  const auto begin = std::chrono::steady_clock::now();
  const auto found = Follow("StalledTrainingRule:threshold=0.2", [&] {
    return std::chrono::steady_clock::now() - begin > std::chrono::seconds(2);
  });
  EXPECT_EQ(found.size(), 1u) << "once, however long it lasts";
}

TEST_F(WatcherTest, NothingToOpenIsNoError) {
  EXPECT_TRUE(Follow("VanishingGradient", [] { return true; }).empty());
  EXPECT_EQ(reports_[0].status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(reports_[0].reason, "no tensors were saved");
}

TEST_F(WatcherTest, SilenceBeforeTheFirstStepIsEvaluated) {
  const auto begin = std::chrono::steady_clock::now();
  const auto found = Follow("StalledTrainingRule:threshold=0.2", [&] {
    return std::chrono::steady_clock::now() - begin > std::chrono::seconds(2);
  });
  ASSERT_EQ(found.size(), 1u) << "once, however long it lasts";
  EXPECT_NE(found[0].message.find("no first step"), std::string::npos) << found[0].message;
}

}  // namespace
}  // namespace warden::rules
