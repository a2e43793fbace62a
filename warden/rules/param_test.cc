#include "warden/rules/param.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warden::rules {
namespace {

constexpr Param kKnown[] = {
    {"threshold", ParamType::kNumber, "0.5", "", 0, 1}, {"steps", ParamType::kInteger, "", "", 1},
    {"strict", ParamType::kSwitch, "False", ""},        {"prefix", ParamType::kText, "", ""},
    {"names", ParamType::kNames, "weights", ""},        {"patterns", ParamType::kPatterns, "", ""},
    {"tokens", ParamType::kNumbers, "0", "", 0, 100},   {"mode", ParamType::kMode, "", ""},
};

Result<Params> Read(const ParamTexts& given) { return Params::Read("Rule", kKnown, given); }
std::string Refusal(const ParamTexts& given) { return Read(given).status().message(); }

TEST(Params, Defaults) {
  const Params params = Read({}).value();
  EXPECT_EQ(params.Number("threshold"), 0.5);
  EXPECT_FALSE(params.Has("steps"));
  EXPECT_EQ(params.Integer("steps"), 0);
  EXPECT_TRUE(params.Has("strict"));
  EXPECT_FALSE(params.Given("strict"));
  EXPECT_EQ(params.List("names"), std::vector<std::string>{"weights"});
  EXPECT_EQ(params.OnlyMode("mode"), std::nullopt);
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"threshold", "0.5"}, {"strict", "False"}, {"names", "weights"}, {"tokens", "0"}};
  EXPECT_EQ(params.texts(), texts);
}

TEST(Params, ReadsTexts) {
  const Params params = Read({{"threshold", " 1e-1 "},
                              {"steps", "10.0"},
                              {"strict", "TRUE"},
                              {"prefix", "my job"},
                              {"names", "a, b ,,c"},
                              {"patterns", "relu(1,2),x{1,2}, [,]"},
                              {"tokens", "3, 0"},
                              {"mode", "EVAL"}})
                            .value();
  EXPECT_EQ(params.Number("threshold"), 0.1);
  EXPECT_EQ(params.Integer("steps"), 10);
  EXPECT_TRUE(params.Switch("strict"));
  EXPECT_TRUE(params.Given("strict"));
  EXPECT_EQ(params.Text("prefix"), "my job");
  EXPECT_EQ(params.List("names"), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(params.List("patterns"), (std::vector<std::string>{"relu(1,2)", "x{1,2}", "[,]"}));
  EXPECT_EQ(params.Numbers("tokens"), (std::vector<double>{3, 0}));
  EXPECT_EQ(params.OnlyMode("mode"), Mode::kEval);
}

TEST(Params, WhatIsEmptyWasNotGiven) {
  const Params params = Read({{"threshold", ""}, {"steps", "None"}, {"names", "  "}}).value();
  EXPECT_EQ(params.Number("threshold"), 0.5);
  EXPECT_FALSE(params.Given("threshold"));
  EXPECT_FALSE(params.Has("steps"));
  EXPECT_EQ(params.List("names"), std::vector<std::string>{"weights"});
}

TEST(Params, SwitchesInAllTheirSpellings) {
  for (const char* text : {"True", "true", "1", "yes", "on"}) {
    EXPECT_TRUE(Read({{"strict", text}}).value().Switch("strict")) << text;
  }
  for (const char* text : {"False", "false", "0", "no", "off"}) {
    EXPECT_FALSE(Read({{"strict", text}}).value().Switch("strict")) << text;
  }
}

TEST(Params, BothEndsOfARangeAreInIt) {
  EXPECT_TRUE(Read({{"threshold", "0"}}).ok());
  EXPECT_TRUE(Read({{"threshold", "1"}}).ok());
  EXPECT_TRUE(Read({{"steps", "1"}}).ok());
}

TEST(Params, RefusalsNameRuleParameterValueAndWhatIsAccepted) {
  EXPECT_EQ(Refusal({{"threshold", "1.001"}}),
            "Rule: threshold is '1.001'; expected a number from 0 to 1");
  EXPECT_EQ(Refusal({{"threshold", "nan"}}),
            "Rule: threshold is 'nan'; expected a number from 0 to 1");
  EXPECT_EQ(Refusal({{"steps", "0"}}), "Rule: steps is '0'; expected a positive integer");
  EXPECT_EQ(Refusal({{"steps", "2.5"}}), "Rule: steps is '2.5'; expected a positive integer");
  EXPECT_EQ(Refusal({{"steps", "ten"}}), "Rule: steps is 'ten'; expected a positive integer");
  EXPECT_EQ(Refusal({{"strict", "2"}}), "Rule: strict is '2'; expected True or False");
  EXPECT_EQ(Refusal({{"tokens", "1,x"}}),
            "Rule: tokens is '1,x'; expected comma-separated numbers from 0 to 100");
  EXPECT_EQ(Refusal({{"tokens", "1,101"}}),
            "Rule: tokens is '1,101'; expected comma-separated numbers from 0 to 100");
  EXPECT_EQ(Refusal({{"mode", "VALIDATION"}}),
            "Rule: mode is 'VALIDATION'; expected TRAIN, EVAL, PREDICT or GLOBAL");
  EXPECT_EQ(Refusal({{"nonesuch", "1"}}),
            "Rule: unknown parameter 'nonesuch'; expected one of: threshold, steps, strict, "
            "prefix, names, patterns, tokens, mode");
  EXPECT_TRUE(Refusal({{"patterns", "fine,(("}}).starts_with("Rule: patterns is "));
  EXPECT_EQ(Read({}).value().Refuse("no").message(), "Rule: no");
}

TEST(Params, NamesInAnyCase) {
  const auto params = Read({{"THRESHOLD", "0.7"}, {"Steps", "3"}});
  ASSERT_TRUE(params.ok()) << params.status().message();
  EXPECT_EQ(params.value().Number("threshold"), 0.7);
  EXPECT_TRUE(params.value().Given("steps"));
  EXPECT_EQ(Refusal({{"THRESHOLD", "0.7"}, {"threshold", "0.8"}}),
            "Rule: threshold is given twice");
}

TEST(Params, WhatIsAcceptedInWords) {
  EXPECT_EQ(AcceptedText({"", ParamType::kNumber, "", ""}), "a number");
  EXPECT_EQ(AcceptedText({"", ParamType::kNumber, "", "", -INFINITY, 3}), "a number <= 3");
  EXPECT_EQ(AcceptedText({"", ParamType::kNumber, "", "", 0}), "a non-negative number");
  EXPECT_EQ(AcceptedText({"", ParamType::kInteger, "", "", 2, 1e6}),
            "an integer from 2 to 1000000");
  EXPECT_EQ(AcceptedText({"", ParamType::kInteger, "", "", 0}), "a non-negative integer");
  EXPECT_EQ(AcceptedText({"", ParamType::kNames, "", ""}), "comma-separated names");
  EXPECT_EQ(ParamTypeName(ParamType::kSwitch), "bool");
  EXPECT_EQ(ParamTypeName(ParamType::kPatterns), "list");
}

}  // namespace
}  // namespace warden::rules
