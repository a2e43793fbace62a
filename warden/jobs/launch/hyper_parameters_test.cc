#include "warden/jobs/launch/hyper_parameters.h"

#include <gtest/gtest.h>

namespace warden::jobs {
namespace {

using Words = std::vector<std::string>;

Words ArgumentsOf(const Json& given) { return DecodeHyperParameters(&given).Arguments(); }

TEST(HyperParametersTest, BecomeArgumentsAsTheToolkitMakesThem) {
  // What the program gets for each text; compared with the toolkit's own rules: decode, then str().
  const std::vector<std::pair<std::string, std::string>> table = {
      {"3", "3"},
      {"\"3\"", "3"},
      {"0.1", "0.1"},
      {"1e-5", "1e-05"},
      {"1e5", "100000.0"},
      {"1.0", "1.0"},
      {"-7", "-7"},
      {"007", "007"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"true", "True"},
      {"false", "False"},
      {"True", "True"},
      {"null", ""},
      {"NaN", "nan"},
      {"-Infinity", "-inf"},
      {"adam", "adam"},
      {"\"adam\"", "adam"},
      {"", ""},
      {"\"\"", ""},
      {"[1, 2]", "[1, 2]"},
      {"[1.5, \"a\", null, true]", "[1.5, 'a', None, True]"},
      {"[\"it's\"]", "[\"it's\"]"},
      {"[\"a\\\\b\\n\"]", "['a\\\\b\\n']"},
      {"[{\"a\": 1}]", "[{'a': 1}]"},
      {"{\"b\": 2, \"a\": \"x\"}", "a=x,b=2"},
      {"{\"a\": [true]}", "a=[True]"},
      {"{}", ""},
      {"{broken", "{broken"},
      {"s3://bucket/key", "s3://bucket/key"},
      {"a b", "a b"},
      {"\"\\u00e9\"", "\xC3\xA9"},
  };
  for (const auto& [text, word] : table) {
    EXPECT_EQ(ArgumentsOf({{"name", text}}), (Words{"--name", word})) << text;
  }
}

TEST(HyperParametersTest, NamesAreSortedAndOneLetterHasOneDash) {
  EXPECT_EQ(ArgumentsOf({{"lr", "0.1"}, {"b", "64"}, {"batch-size", "8"}, {"Z", "1"}}),
            (Words{"-Z", "1", "-b", "64", "--batch-size", "8", "--lr", "0.1"}));
}

TEST(HyperParametersTest, ThePlatformsOwnAreNotForTheProgram) {
  const Json given = {{"sagemaker_program", "\"train.py\""},
                      {"sagemaker_submit_directory", "s3://bucket/source.tar.gz"},
                      {"sagemaker_container_log_level", "20"},
                      {"_tuning_objective_metric", "loss"},
                      {"epochs", "3"}};
  const HyperParameters decoded = DecodeHyperParameters(&given);
  EXPECT_EQ(decoded.Arguments(), (Words{"--epochs", "3"}));
  EXPECT_EQ(decoded.Platform("sagemaker_program"), "train.py");
  EXPECT_EQ(decoded.Platform("sagemaker_submit_directory"), "s3://bucket/source.tar.gz");
  EXPECT_EQ(decoded.Platform("sagemaker_region"), "");
  EXPECT_EQ(decoded.platforms["sagemaker_container_log_level"], 20);
}

TEST(HyperParametersTest, NoneAreFine) {
  EXPECT_TRUE(DecodeHyperParameters(nullptr).Arguments().empty());
  const Json wrong = "text";
  EXPECT_TRUE(DecodeHyperParameters(&wrong).Arguments().empty());
}

}  // namespace
}  // namespace warden::jobs
