#include "warden/config/collection.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"

namespace warden::config {
namespace {

TEST(CollectionMatcher, MatchesByNameOrByPatternAnywhere) {
  Collection collection;
  collection.include_regex = {"relu.*output", "^fc"};
  collection.tensor_names = {"exact"};
  const auto matcher = CollectionMatcher::Make(collection);
  ASSERT_TRUE(matcher.ok());
  EXPECT_TRUE(matcher.value().Matches("block.relu1_output_0"));
  EXPECT_TRUE(matcher.value().Matches("fc_input_0"));
  EXPECT_TRUE(matcher.value().Matches("exact"));
  EXPECT_FALSE(matcher.value().Matches("exact_not"));
  EXPECT_FALSE(matcher.value().Matches("my_fc"));
}

TEST(CollectionMatcher, EmptyMatchesNothing) {
  EXPECT_FALSE(CollectionMatcher::Make(Collection()).value().Matches(""));
}

TEST(CollectionMatcher, NamesTheCollectionOfABadPattern) {
  Collection collection;
  collection.name = "acts";
  collection.include_regex = {"ok", "(open"};
  const auto matcher = CollectionMatcher::Make(collection);
  EXPECT_EQ(matcher.status().code(), Code::kInvalid);
  EXPECT_TRUE(matcher.status().message().starts_with("collection 'acts': invalid pattern '(open'"))
      << matcher.status().message();
}

TEST(ScalarCollections, AreRawOnlyToo) {
  for (const char* name :
       {"losses", "metrics", "feature_importance", "average_shap", "sm_metrics"}) {
    EXPECT_TRUE(IsScalarCollection(name)) << name;
    EXPECT_TRUE(IsRawOnlyCollection(name)) << name;
  }
  EXPECT_FALSE(IsScalarCollection("tensorflow_summaries"));
  EXPECT_TRUE(IsRawOnlyCollection("tensorflow_summaries"));
  EXPECT_FALSE(IsRawOnlyCollection("weights"));
}

TEST(CollectionJson, RoundTrip) {
  Collection collection;
  collection.name = "\xc3\xa9";
  collection.include_regex = {"b", "a", "b"};
  collection.tensor_names = {"z", "a"};
  collection.save_config = SaveConfig();
  collection.save_histogram = false;
  const Json json = ToJson(collection);
  EXPECT_TRUE(DumpLikePython(json).starts_with(
      R"({"name": "\u00e9", "include_regex": ["b", "a", "b"], "tensor_names": ["a", "z"], )"
      R"("reduction_config": null, "save_config": {"TRAIN": )"));
  const auto read = CollectionFromJson(json);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read.value(), collection);
}

TEST(CollectionJson, ToleratesWhatIsMissingNullOrUnknown) {
  const auto read = CollectionFromJson(
      ParseJson(R"({"name": "a", "include_regex": false, "tensor_names": null, "more": 1})")
          .value());
  ASSERT_TRUE(read.ok()) << read.status().message();
  Collection expected;
  expected.name = "a";
  EXPECT_EQ(read.value(), expected);
}

TEST(CollectionJson, NamesTheFieldThatIsWrong) {
  const auto error = [](std::string_view text) {
    return CollectionFromJson(ParseJson(text).value()).status().message();
  };
  EXPECT_EQ(error("null"), "expected an object, got null");
  EXPECT_EQ(error(R"({"include_regex": true})"),
            "include_regex: expected a list of strings, got true");
  EXPECT_EQ(error(R"({"tensor_names": ["a", 1]})"),
            R"(tensor_names: expected a list of strings, got ["a", 1])");
  EXPECT_EQ(error(R"({"save_config": {"TRAIN": []}})"),
            "save_config: TRAIN: expected an object, got []");
  EXPECT_EQ(error(R"({"reduction_config": {"save_shape": 1}})"),
            "reduction_config: save_shape: expected true or false, got 1");
}

}  // namespace
}  // namespace warden::config
