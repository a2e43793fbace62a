#include "warden/rules/engine/engine.h"

#include <fmt/format.h>

#include <utility>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

// What a rule of a test was shown.
struct Log {
  std::vector<std::string> lines;
  std::vector<const TensorView*> views;
  int ends = 0;
};

// Says of every tensor what the test wants.
class Recorder : public Rule {
 public:
  using Say = std::function<Status(TensorView&, Verdicts*)>;
  Recorder(Selector selector, Log* log, Say say)
      : selector_(std::move(selector)), log_(log), say_(std::move(say)) {}

  std::vector<Selector> inputs() const override { return {selector_}; }
  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* tensor : step.Input(0)) {
      log_->lines.push_back(fmt::format("{} {} {} {}", step.step(), ModeName(step.mode()),
                                        tensor->name(), tensor->worker()));
      log_->views.push_back(tensor);
      if (Status status = say_(*tensor, verdicts); !status.ok()) return status;
    }
    return Status();
  }
  void End(Verdicts* /*verdicts*/) override { ++log_->ends; }

 private:
  const Selector selector_;
  Log* log_;
  Say say_;
};

Status SayHealthy(TensorView& tensor, Verdicts* verdicts) {
  verdicts->Healthy(tensor);
  return Status();
}
Status SayBad(TensorView& tensor, Verdicts* verdicts) {
  verdicts->Fire(tensor, {1, 0, "is bad"});
  return Status();
}
// By its values: evaluated if they can be had.
Status SayReadable(TensorView& tensor, Verdicts* verdicts) {
  if (tensor.Summary() == nullptr) {
    verdicts->Skip(tensor, "cannot be read");
  } else {
    verdicts->Healthy(tensor);
  }
  return Status();
}

// Counts how often objects are opened.
class CountingStore : public storage::Store {
 public:
  explicit CountingStore(std::shared_ptr<storage::Store> store) : store_(std::move(store)) {}
  std::string Locate(std::string_view key) const override { return store_->Locate(key); }
  Result<std::vector<std::string>> List(std::string_view prefix,
                                        std::string_view start_after) const override {
    return store_->List(prefix, start_after);
  }
  Result<std::shared_ptr<const storage::Object>> Open(std::string_view key) const override {
    if (key.starts_with("events/")) ++opened;
    return store_->Open(key);
  }
  bool Exists(std::string_view key) const override { return store_->Exists(key); }
  Result<std::unique_ptr<storage::ObjectWriter>> Create(std::string_view key) override {
    return store_->Create(key);
  }
  Status PutIfAbsent(std::string_view key, Bytes body) override {
    return store_->PutIfAbsent(key, body);
  }
  Status Remove(std::string_view key) override { return store_->Remove(key); }
  Result<std::unique_ptr<storage::Watch>> WatchPrefix(std::string_view prefix) const override {
    return store_->WatchPrefix(prefix);
  }
  mutable int opened = 0;

 private:
  std::shared_ptr<storage::Store> store_;
};

class EngineTest : public RuleTest {
 protected:
  static constexpr RuleSpec kSpec{"Recorder", "A test.", "Nothing.", {}};

  void Add(Recorder::Say say, const ParamTexts& texts = {}, Selector selector = {.all = true}) {
    logs_.push_back(std::make_unique<Log>());
    rules_.push_back(
        {{fmt::format("rule {}", rules_.size()), "Recorder", "", texts},
         &kSpec,
         Params::Read("Recorder", AllParams(kSpec), texts).value(),
         std::make_unique<Recorder>(std::move(selector), logs_.back().get(), std::move(say))});
  }
  void Start(const EngineOptions& options = {}) {
    if (!has_manifest_) Manifest(1);
    trial_ = trial::Trial::Open(store_, trial::LookOptions()).value();
    engine_ = Engine::Make(std::move(rules_), trial_, options).value();
  }
  int64_t Advance(int64_t limit = INT64_MAX) {
    EXPECT_TRUE(trial_->Refresh().ok());
    return engine_->Advance(limit, [this](const RuleState& rule, const Finding& finding) {
      told_.push_back(rule.config.name + ": " + finding.message);
    });
  }
  void Steps(Step count, const std::string& name = "a") {
    for (Step step = 0; step < count; ++step) Save(step, name, {1});
  }
  const Log& LogOf(size_t rule) { return *logs_.at(rule); }
  RuleReport ReportOf(size_t rule, bool ended = true) { return engine_->Reports(ended).at(rule); }
  using Lines = std::vector<std::string>;

  std::vector<std::unique_ptr<Log>> logs_;
  std::vector<PreparedRule> rules_;
  std::shared_ptr<trial::Trial> trial_;
  std::unique_ptr<Engine> engine_;
  Lines told_;
};

TEST_F(EngineTest, StepsComeInOrderAndOnce) {
  Save(10, "a", {1});
  Save(2, {{"b", FloatTensor({}, {1})}, {"a", FloatTensor({}, {1})}}, Mode::kEval);
  Add(SayHealthy);
  Start();
  EXPECT_EQ(engine_->last_step(), -1);
  EXPECT_EQ(Advance(), 2);
  Save(11, "a", {1});
  EXPECT_EQ(Advance(), 1);
  EXPECT_EQ(Advance(), 0);
  EXPECT_EQ(LogOf(0).lines, (Lines{"2 EVAL a worker_0", "2 EVAL b worker_0", "10 TRAIN a worker_0",
                                   "11 TRAIN a worker_0"}));
  EXPECT_EQ(engine_->last_step(), 11);
  EXPECT_EQ(ReportOf(0).coverage.steps, 3);
}

TEST_F(EngineTest, ALimitOfSteps) {
  Steps(5);
  Add(SayHealthy);
  Start();
  EXPECT_EQ(Advance(2), 2);
  EXPECT_EQ(engine_->last_step(), 1);
  EXPECT_EQ(Advance(2), 2);
  EXPECT_EQ(Advance(2), 1);
}

TEST_F(EngineTest, RulesShareOneReadOfAStep) {
  auto counting = std::make_shared<CountingStore>(store_);
  Save(0, {{"gradient/a", FloatTensor({}, {1})}, {"b", FloatTensor({}, {1})}});
  Save(1, {{"gradient/a", FloatTensor({}, {1})}, {"b", FloatTensor({}, {1})}});
  Manifest(1);
  store_ = counting;
  Add(SayReadable);
  Add(SayReadable, {}, {.collections = {"gradients"}});
  Add(SayReadable, {}, {.patterns = {"."}});
  Start();
  Advance();
  EXPECT_EQ(counting->opened, 2);  // Once for each step.
  EXPECT_EQ(LogOf(0).lines.size(), 4u);
  EXPECT_EQ(LogOf(1).lines.size(), 2u);
  EXPECT_EQ(LogOf(0).views.at(3), LogOf(1).views.at(1));  // The gradient at step 1.
}

TEST_F(EngineTest, ARuleIsNotAskedWithoutItsTensors) {
  Steps(2);
  Save(2, "b", {1});
  Add(SayHealthy, {}, {.patterns = {"b"}});
  Add(SayHealthy, {}, {.patterns = {"c"}});
  Start();
  Advance();
  EXPECT_EQ(LogOf(0).lines, Lines{"2 TRAIN b worker_0"});
  EXPECT_EQ(ReportOf(0).status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(ReportOf(1).status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(ReportOf(1).reason,
            "no tensors matching 'c' were saved; check the pattern, or save "
            "the tensors with --include-regex");
}

TEST_F(EngineTest, FromStartStepToBeforeEndStep) {
  Steps(5);
  Add(SayHealthy, {{"start_step", "1"}, {"end_step", "3"}});
  Add(SayHealthy, {{"start_step", "4"}});
  Start();
  Advance();
  EXPECT_EQ(LogOf(0).lines, (Lines{"1 TRAIN a worker_0", "2 TRAIN a worker_0"}));
  EXPECT_EQ(LogOf(1).lines, Lines{"4 TRAIN a worker_0"});
}

TEST_F(EngineTest, FindingsAreToldWhenTheyBegin) {
  Steps(3);
  Add(SayBad);
  Start();
  Advance(1);
  EXPECT_EQ(told_, Lines{"rule 0: a: is bad at step 0"});
  Advance();
  EXPECT_EQ(told_.size(), 1u);
  EXPECT_EQ(ReportOf(0).findings.at(0).count, 3);
}

TEST_F(EngineTest, ARuleMayEndAtItsFirstFinding) {
  Steps(3);
  Add(SayBad);
  Add(SayHealthy);
  Start({.stop_at_first_finding = true});
  Advance();
  EXPECT_EQ(LogOf(0).lines.size(), 1u);
  EXPECT_EQ(LogOf(1).lines.size(), 3u);
  EXPECT_EQ(ReportOf(0, /*ended=*/false).status, RuleStatus::kIssuesFound);
  EXPECT_EQ(ReportOf(1, /*ended=*/false).status, RuleStatus::kInProgress);
}

TEST_F(EngineTest, AStepWaitsForAllWorkers) {
  Manifest(2);
  Save(0, "a", {1}, Mode::kTrain, 0);
  Add(SayHealthy);
  Start();
  EXPECT_EQ(Advance(), 0);
  Save(0, "a", {1}, Mode::kTrain, 1);
  EXPECT_EQ(Advance(), 1);
  Save(1, "a", {1}, Mode::kTrain, 1);
  EXPECT_EQ(Advance(), 0);
  builder_.End();  // It is as complete as it will ever be.
  EXPECT_EQ(Advance(), 1);
  EXPECT_EQ(LogOf(0).lines,
            (Lines{"0 TRAIN a worker_0", "0 TRAIN a worker_1", "1 TRAIN a worker_1"}));
}

TEST_F(EngineTest, AnErrorEndsOneRuleAlone) {
  Steps(3);
  Add([](TensorView&, Verdicts*) { return Status(Code::kIo, "out of luck"); });
  Add(SayHealthy);
  Start();
  Advance();
  EXPECT_EQ(LogOf(0).lines.size(), 1u);
  EXPECT_EQ(ReportOf(0, /*ended=*/false).status, RuleStatus::kError);
  EXPECT_EQ(ReportOf(0).reason, "out of luck");
  EXPECT_EQ(ReportOf(1).status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(ReportOf(1).coverage.steps, 3);
}

TEST_F(EngineTest, WhatADamagedFileStillHoldsIsEvaluated) {
  const Tensors tensors = {{"a", FloatTensor({2}, {1, 2})}, {"z", FloatTensor({2}, {1, 2})}};
  Save(0, tensors);
  Save(1, tensors);
  const std::string key = format::EventFileKey(0, "worker_0");
  const auto whole = store_->ReadAll(key).value();
  const std::string text(AsText(whole.bytes));
  builder_.Put(key, text.substr(0, text.size() - 10));  // The end of z.
  Add(SayReadable);
  Start();
  Advance();
  EXPECT_EQ(ReportOf(0).status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(ReportOf(0).coverage.steps, 2);
  EXPECT_EQ(ReportOf(0).notes, Lines{"1 tensor skipped (first: z): cannot be read"});
}

TEST_F(EngineTest, ADamagedRecordIsNotEvaluated) {
  Save(0, {{"a", FloatTensor({2}, {1, 2})}, {"z", FloatTensor({2}, {1, 2})}});
  const std::string key = format::EventFileKey(0, "worker_0");
  std::string text(AsText(store_->ReadAll(key).value().bytes));
  for (size_t i = 0; i < 8; ++i) text[i] = '\xFF';  // The length of a.
  builder_.Put(key, text);
  Add(SayReadable);
  Start();
  Advance();
  EXPECT_EQ(ReportOf(0).coverage.tensors, 1);
  EXPECT_EQ(ReportOf(0).notes, Lines{"1 tensor skipped (first: a): cannot be read"});
}

TEST_F(EngineTest, AnEventFileThatIsMissing) {
  builder_.Tensors(0, 0, {{"a", FloatTensor({}, {1})}}, {.without_event_file = true});
  Save(1, "a", {1});
  Add(SayReadable);
  Start();
  EXPECT_EQ(Advance(), 2);
  EXPECT_EQ(ReportOf(0).coverage.steps, 1);
  EXPECT_EQ(ReportOf(0).notes, Lines{"1 tensor skipped (first: a): cannot be read"});
}

TEST_F(EngineTest, RulesAreToldOfTheEndOnce) {
  Steps(2);
  Add(SayHealthy);
  Start();
  Advance();
  EXPECT_EQ(LogOf(0).ends, 0);
  Save(2, "a", {1});
  builder_.End();
  Advance(1);
  EXPECT_EQ(LogOf(0).ends, 0);  // There may be more.
  Advance();
  EXPECT_EQ(LogOf(0).ends, 1);
  Advance();
  engine_->End([](const RuleState&, const Finding&) {});
  EXPECT_EQ(LogOf(0).ends, 1);
}

TEST_F(EngineTest, ARunThatBreaksOffCanBeEnded) {
  Steps(1);
  Add(SayHealthy);
  Start();
  Advance();
  engine_->End([](const RuleState&, const Finding&) {});
  EXPECT_EQ(LogOf(0).ends, 1);
}

TEST_F(EngineTest, StatusBeforeAndAfterTheEnd) {
  Add(SayHealthy);
  Start();
  Advance();
  EXPECT_EQ(ReportOf(0, /*ended=*/false).status, RuleStatus::kInProgress);
  EXPECT_EQ(ReportOf(0).status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(ReportOf(0).reason, "no tensors were saved");
}

TEST(PrepareRules, TheBaseTrialIsAccepted) {
  std::vector<std::string> notices;
  const auto configs = ParseRuleText("VanishingGradient:base_trial=mine;threshold=1");
  const auto rules = PrepareRules(configs.value(), &notices);
  ASSERT_TRUE(rules.ok()) << rules.status().message();
  EXPECT_EQ(rules.value()[0].params.Number("threshold"), 1);
}

TEST(PrepareRules, ChecksAndNames) {
  std::vector<std::string> notices;
  const auto prepared =
      PrepareRules(ParseRuleText("vanishing_gradient,WeightUpdate").value(), &notices);
  ASSERT_TRUE(prepared.ok()) << prepared.status().message();
  EXPECT_EQ(prepared.value()[0].spec->name, "VanishingGradient");
  EXPECT_EQ(prepared.value()[0].config.name, "vanishing_gradient");
  EXPECT_EQ(notices, std::vector<std::string>{"'WeightUpdate' is an alias of WeightUpdateRatio"});
  EXPECT_TRUE(PrepareRules(ParseRuleText("Nonesuch").value(), &notices)
                  .status()
                  .message()
                  .starts_with("unknown rule 'Nonesuch'"));
  EXPECT_EQ(PrepareRules(ParseRuleText("AllZero").value(), &notices).status().message(),
            "AllZero: no tensors selected; set collection_names or tensor_regex");
}

}  // namespace
}  // namespace warden::rules
