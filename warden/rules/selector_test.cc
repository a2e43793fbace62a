#include "warden/rules/selector.h"

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class SelectorTest : public RuleTest {
 protected:
  std::vector<std::string> Chosen(const Selector& selector, const std::vector<std::string>& names) {
    if (!has_manifest_) Manifest(1);
    const auto trial = trial::Trial::Open(store_, trial::LookOptions()).value();
    const auto matcher = Matcher::Make(selector, *trial);
    EXPECT_TRUE(matcher.ok()) << matcher.status().message();
    std::vector<std::string> chosen;
    for (const std::string& name : names) {
      if (matcher.value().Matches(name)) chosen.push_back(name);
    }
    return chosen;
  }
  using Names = std::vector<std::string>;
};

TEST_F(SelectorTest, TheUnionOfAllThatIsSaid) {
  Manifest(1, {{"relu_output", {"net.1_output_"}}});
  const Selector selector{
      .collections = {"gradients"}, .patterns = {"conv\\d"}, .roles = {"relu_output"}};
  EXPECT_EQ(Chosen(selector, {"gradient/fc", "my_conv1_x", "net.1_output_0", "net.11_output_0",
                              "fc.weight", "conv"}),
            (Names{"gradient/fc", "my_conv1_x", "net.1_output_0"}));
}

TEST_F(SelectorTest, PatternsAreSearchedNotAnchored) {
  EXPECT_EQ(Chosen({.patterns = {"relu"}}, {"a_relu_b", "ReLU"}), Names{"a_relu_b"});
  EXPECT_EQ(Chosen({.patterns = {"^relu$", "(?i)tanh"}}, {"a_relu", "relu", "Tanh_0"}),
            (Names{"relu", "Tanh_0"}));
}

TEST_F(SelectorTest, WhatTheRunDoesNotHaveMatchesNothing) {
  EXPECT_EQ(Chosen({.collections = {"nonesuch"}, .roles = {"labels"}}, {"nonesuch", "labels"}),
            Names{});
  EXPECT_EQ(Chosen({}, {"a"}), Names{});
  EXPECT_EQ(Chosen({.all = true}, {"a", ""}), (Names{"a", ""}));
}

TEST_F(SelectorTest, ABadPatternIsRefused) {
  Manifest(1);
  const auto trial = trial::Trial::Open(store_, trial::LookOptions()).value();
  EXPECT_EQ(Matcher::Make({.patterns = {"(("}}, *trial).status().code(), Code::kInvalid);
}

TEST_F(SelectorTest, FromParameters) {
  constexpr Param kParams[] = {{"collection_names", ParamType::kNames, "", ""},
                               {"tensor_regex", ParamType::kPatterns, "", ""}};
  const auto from = [&](const ParamTexts& given) {
    return SelectorFrom(Params::Read("Rule", kParams, given).value(), {.all = true});
  };
  EXPECT_EQ(from({}), (Selector{.all = true}));
  EXPECT_EQ(from({{"tensor_regex", ""}}), (Selector{.all = true}));
  EXPECT_EQ(from({{"collection_names", "a,b"}, {"tensor_regex", "x(1,2)"}}),
            (Selector{.collections = {"a", "b"}, .patterns = {"x(1,2)"}}));
}

TEST_F(SelectorTest, SaysWhatWasNotSavedAndHowToSaveIt) {
  EXPECT_EQ(WhyNothingMatched({{.all = true}}), "no tensors were saved");
  EXPECT_EQ(WhyNothingMatched({{.patterns = {".*relu_output"}, .roles = {"relu_output"}}}),
            "no ReLU outputs were saved; add --save-all");
  EXPECT_EQ(WhyNothingMatched({{.collections = {"gradients"}}}),
            "no gradients were saved; save the collection gradients");
  EXPECT_EQ(WhyNothingMatched({{.collections = {"weights", "mine"}}, {}}),
            "no weights or tensors in collection mine were saved; save the collections weights and "
            "mine");
  EXPECT_EQ(WhyNothingMatched({{.collections = {"losses"}, .patterns = {".*x"}}}),
            "no losses or tensors matching '.*x' were saved; save the collection losses");
  EXPECT_EQ(WhyNothingMatched({{.patterns = {".*x"}}}),
            "no tensors matching '.*x' were saved; check the pattern, or save the tensors with "
            "--include-regex");
  EXPECT_EQ(WhyNothingMatched({{.collections = {"labels"}, .roles = {"labels"}},
                               {.roles = {"predictions"}},
                               {.roles = {"labels"}}}),
            "no labels or predictions were saved; add --save-all");
}

}  // namespace
}  // namespace warden::rules
