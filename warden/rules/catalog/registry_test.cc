#include "warden/rules/catalog/registry.h"

#include <gtest/gtest.h>

#include <set>

namespace warden::rules {
namespace {

// "TheRule" as "the_rule".
std::string Snake(std::string_view name) {
  std::string snake;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool upper = name[i] >= 'A' && name[i] <= 'Z';
    const bool after_lower = i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z';
    if (upper && after_lower) snake += '_';
    snake += upper ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
  }
  return snake;
}

TEST(Registry, EveryRuleIsDescribed) {
  for (const RuleEntry& entry : BuiltinRules()) {
    const RuleSpec& spec = *entry.spec;
    SCOPED_TRACE(spec.name);
    EXPECT_TRUE(spec.doc.ends_with('.')) << spec.doc;
    EXPECT_EQ(spec.doc.find('\n'), std::string_view::npos);
    EXPECT_TRUE(spec.advice.ends_with('.')) << spec.advice;
    EXPECT_NE(entry.make, nullptr);
    for (const Param& param : AllParams(spec)) {
      EXPECT_FALSE(param.name.empty());
      EXPECT_FALSE(param.doc.empty()) << param.name;
      EXPECT_LE(param.min, param.max) << param.name;
    }
    for (const Saves& saves : spec.saves) EXPECT_FALSE(saves.collection.empty());
  }
}

TEST(Registry, NamesAreUniqueAndInOrder) {
  std::set<std::string> seen;
  std::string last;
  for (const RuleEntry& entry : BuiltinRules()) {
    const std::string folded = [&] {
      std::string lower;
      for (const char c : entry.spec->name) lower += static_cast<char>(std::tolower(c));
      return lower;
    }();
    EXPECT_TRUE(seen.insert(folded).second) << entry.spec->name;
    EXPECT_LT(last, folded);
    last = folded;
    std::set<std::string_view> params;
    for (const Param& param : AllParams(*entry.spec)) {
      EXPECT_TRUE(params.insert(param.name).second) << entry.spec->name << " " << param.name;
    }
  }
}

TEST(Registry, DefaultsAreAcceptedWhenWritten) {
  for (const RuleEntry& entry : BuiltinRules()) {
    SCOPED_TRACE(entry.spec->name);
    ParamTexts written;
    for (const Param& param : AllParams(*entry.spec)) {
      if (!param.default_text.empty()) written.emplace(param.name, param.default_text);
    }
    const auto params = Params::Read(entry.spec->name, AllParams(*entry.spec), written);
    EXPECT_TRUE(params.ok()) << params.status().message();
  }
}

TEST(Registry, EveryRuleOfTheOriginalIsThere) {
  for (const char* name : {"AllZero",
                           "CheckInputImages",
                           "ClassImbalance",
                           "Confusion",
                           "DeadRelu",
                           "ExplodingTensor",
                           "FeatureImportanceOverweight",
                           "LossNotDecreasing",
                           "NLPSequenceRatio",
                           "Overfit",
                           "Overtraining",
                           "PoorWeightInitialization",
                           "SaturatedActivation",
                           "SimilarAcrossRuns",
                           "StalledTrainingRule",
                           "TensorVariance",
                           "TreeDepth",
                           "UnchangedTensor",
                           "VanishingGradient",
                           "WeightUpdateRatio"}) {
    const auto found = FindRule(name);
    ASSERT_TRUE(found.ok()) << found.status().message();
    EXPECT_EQ(found.value().entry->spec->name, name);
  }
}

TEST(Registry, TheProfilerRulesAreThereAndKnownAsSuch) {
  int profiler = 0;
  for (const RuleEntry& entry : BuiltinRules()) {
    if (entry.spec->kind == RuleKind::kProfiler) ++profiler;
  }
  EXPECT_EQ(profiler, 11);
  for (const char* name :
       {"BatchSize", "CPUBottleneck", "Dataloader", "GPUMemoryIncrease", "IOBottleneck",
        "LoadBalancing", "LowGPUUtilization", "MaxInitializationTime", "OverallFrameworkMetrics",
        "OverallSystemUsage", "StepOutlier"}) {
    const auto found = FindRule(name);
    ASSERT_TRUE(found.ok()) << found.status().message();
    EXPECT_EQ(found.value().entry->spec->name, name);
    EXPECT_EQ(found.value().entry->spec->kind, RuleKind::kProfiler) << name;
  }
  EXPECT_EQ(FindRule("profiler_report").value().entry->spec->kind, RuleKind::kReport);
}

TEST(Registry, WhatOnlySlowsTheTrainingDownIsAWarning) {
  for (const RuleEntry& entry : BuiltinRules()) {
    const RuleSpec& spec = *entry.spec;
    const bool warns = spec.kind == RuleKind::kProfiler || spec.name == "ProfilerReport" ||
                       spec.name == "DetailedProfilerProcessing" || spec.name == "Overfitting" ||
                       spec.name == "SlowDataLoader" || spec.name == "StragglerRank" ||
                       spec.name == "HalfPrecisionRange";
    EXPECT_EQ(spec.severity, warns ? Severity::kWarning : Severity::kProblem) << spec.name;
  }
}

TEST(Registry, BothSpellings) {
  for (const RuleEntry& entry : BuiltinRules()) {
    for (const std::string& name : {std::string(entry.spec->name), Snake(entry.spec->name)}) {
      const auto found = FindRule(name);
      ASSERT_TRUE(found.ok()) << name;
      EXPECT_EQ(found.value().entry, &entry);
      EXPECT_EQ(found.value().notice, "") << name;
    }
  }
}

TEST(Registry, OtherNames) {
  for (const auto& [name, proper] : std::vector<std::pair<std::string, std::string>>{
           {"WeightUpdate", "WeightUpdateRatio"},
           {"weight_update", "WeightUpdateRatio"},
           {"GradientClipping", "GradientNormSpike"},
           {"stalled_training", "StalledTrainingRule"},
           {"HardwareUtilization", "OverallSystemUsage"},
           {"cpu_utilization", "CPUBottleneck"},
           {"TfOperatorTime", "OverallFrameworkMetrics"}}) {
    const auto found = FindRule(name);
    ASSERT_TRUE(found.ok()) << name;
    ASSERT_NE(found.value().entry, nullptr) << name;
    EXPECT_EQ(found.value().entry->spec->name, proper);
    EXPECT_EQ(found.value().notice, "'" + name + "' is an alias of " + proper);
  }
}

TEST(Registry, UnknownNamesGetTheNearest) {
  const Status status = FindRule("VanishingGradients").status();
  EXPECT_EQ(status.code(), Code::kInvalid);
  EXPECT_EQ(status.message(),
            "unknown rule 'VanishingGradients'; did you mean VanishingGradient? 'warden rules' "
            "lists all");
  EXPECT_EQ(FindRule("vanishing").status().message(),
            "unknown rule 'vanishing'; did you mean VanishingGradient? 'warden rules' lists all");
  EXPECT_EQ(FindRule("Nope").status().message(), "unknown rule 'Nope'; 'warden rules' lists all");
  EXPECT_FALSE(FindRule("").ok());
}

TEST(Registry, CommonParametersUnlessTheRuleHasItsOwn) {
  const auto count = [](const char* rule, std::string_view name) {
    int found = 0;
    for (const Param& param : AllParams(*FindRule(rule).value().entry->spec)) {
      found += param.name == name ? 1 : 0;
    }
    return found;
  };
  EXPECT_EQ(count("AllZero", "start_step"), 1);
  EXPECT_EQ(count("AllZero", "end_step"), 1);
  EXPECT_EQ(count("Overfit", "start_step"), 1);
}

}  // namespace
}  // namespace warden::rules
