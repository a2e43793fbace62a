#include "warden/sagemaker/model/validate.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"
#include "warden/sagemaker/model/java_pattern.h"
#include "warden/sagemaker/model/java_text.h"
#include "warden/sagemaker/model/shapes.h"

namespace warden::sagemaker {
namespace {

Json Job() {
  return {{"TrainingJobName", "demo-001"},
          {"AlgorithmSpecification", {{"TrainingImage", "i"}, {"TrainingInputMode", "File"}}},
          {"RoleArn", "arn:aws:iam::123456789012:role/Demo"},
          {"OutputDataConfig", {{"S3OutputPath", "s3://bucket/out"}}},
          {"ResourceConfig", {{"InstanceType", "ml.m5.xlarge"}, {"InstanceCount", 1}}},
          {"StoppingCondition", {{"MaxRuntimeInSeconds", 60}}}};
}

// "Code: message" of what is wrong with a job that has one more member; empty: nothing.
std::string With(const std::string& member, const Json& value) {
  Json job = Job();
  job[member] = value;
  const std::optional<ApiError> error = Validate("CreateTrainingJob", job);
  return error ? error->code + ": " + error->message : "";
}

std::string Faults(const std::string& text) { return "ValidationException: " + text; }

TEST(ValidateTest, KnowsAllOperations) {
  EXPECT_EQ(Operations().size(), 14u);
  for (const std::string& operation : Operations()) {
    ASSERT_NE(InputOf(operation), nullptr);
    EXPECT_FALSE(InputOf(operation)->members.empty()) << operation;
  }
  EXPECT_EQ(InputOf("Nonsense"), nullptr);
  EXPECT_EQ(Validate("ListTrainingJobs", Json::object()), std::nullopt);
}

TEST(ValidateTest, TakesWhatIsRight) {
  EXPECT_EQ(Validate("CreateTrainingJob", Job()), std::nullopt);
  EXPECT_EQ(With("Unknown", {{"any", "thing"}}), "");
  EXPECT_EQ(With("HyperParameters", nullptr), "") << "null is absent";
  EXPECT_EQ(With("ResourceConfig", {{"InstanceType", "ml.tomorrow.big"}, {"InstanceCount", 1.0}}),
            "");
  EXPECT_EQ(With("HyperParameters", {{"k\xC3\xA9", "\xF0\x9F\x98\x80 a\tb"}}), "");
  EXPECT_EQ(With("Tags", {{{"Key", "\xC3\xA9-1 @"}, {"Value", ""}}}), "");
  EXPECT_EQ(With("Environment", {{"A_1", "any\nlines"}}), "");
}

TEST(ValidateTest, TellsEachFaultInItsWords) {
  EXPECT_EQ(With("TrainingJobName", "bad_name"),
            Faults("1 validation error detected: Value 'bad_name' at 'trainingJobName' failed to "
                   "satisfy constraint: Member must satisfy regular expression pattern: "
                   "^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}"));
  EXPECT_EQ(With("RoleArn", nullptr),
            Faults("1 validation error detected: Value null at 'roleArn' failed to satisfy "
                   "constraint: Member must not be null"));
  EXPECT_EQ(With("AlgorithmSpecification", {{"TrainingInputMode", "Sideways"}}),
            Faults("1 validation error detected: Value 'Sideways' at "
                   "'algorithmSpecification.trainingInputMode' failed to satisfy constraint: "
                   "Member must satisfy enum value set: [Pipe, File, FastFile]"));
  EXPECT_EQ(With("RetryStrategy", {{"MaximumRetryAttempts", 31}}),
            Faults("1 validation error detected: Value '31' at "
                   "'retryStrategy.maximumRetryAttempts' failed to satisfy constraint: Member must "
                   "have value less than or equal to 30"));
  EXPECT_EQ(With("InputDataConfig", Json::array()),
            Faults("1 validation error detected: Value '[]' at 'inputDataConfig' failed to satisfy "
                   "constraint: Member must have length greater than or equal to 1"));
  EXPECT_EQ(With("HyperParameters", {{"a", "b"}, {"c", std::string(2501, 'x')}}).substr(0, 60),
            Faults("1 validation error detected: Value '{a=b, c=xxx").substr(0, 60));
  EXPECT_EQ(With("Environment", {{"1a", "b"}}),
            Faults("1 validation error detected: Value '{1a=b}' at 'environment' failed to satisfy "
                   "constraint: Map keys must satisfy constraint: [Member must have length less "
                   "than or equal to 512, Member must have length greater than or equal to 0, "
                   "Member must satisfy regular expression pattern: [a-zA-Z_][a-zA-Z0-9_]*]"));
}

TEST(ValidateTest, TellsAllFaultsAtOnce) {
  const std::string told =
      With("DebugRuleConfigurations",
           {{{"RuleConfigurationName", ""}, {"RuleParameters", {{"k", "line\nbreak"}}}},
            {{"RuleConfigurationName", "r"}, {"RuleEvaluatorImage", "i"}, {"VolumeSizeInGB", -1}}});
  EXPECT_TRUE(told.starts_with("ValidationException: 4 validation errors detected: ")) << told;
  for (const char* part :
       {"Value '' at 'debugRuleConfigurations.1.member.ruleConfigurationName'",
        "Value null at 'debugRuleConfigurations.1.member.ruleEvaluatorImage'",
        "Value '{k=line\nbreak}' at 'debugRuleConfigurations.1.member.ruleParameters' failed to "
        "satisfy constraint: Map value must satisfy constraint: [Member must have length less than "
        "or equal to 256, Member must have length greater than or equal to 0, Member must satisfy "
        "regular expression pattern: .*]",
        "; Value '-1' at 'debugRuleConfigurations.2.member.volumeSizeInGB'"}) {
    EXPECT_NE(told.find(part), std::string::npos) << part << "\nin " << told;
  }
}

TEST(ValidateTest, WrongTypesAreAnotherError) {
  for (const auto& [member, value] : std::initializer_list<std::pair<const char*, Json>>{
           {"TrainingJobName", 1},
           {"TrainingJobName", Json::array()},
           {"HyperParameters", {{"a", 1}}},
           {"HyperParameters", "a"},
           {"Tags", Json::object()},
           {"Tags", {1}},
           {"EnableNetworkIsolation", "true"},
           {"RetryStrategy", {{"MaximumRetryAttempts", 1.5}}},
           {"RetryStrategy", {{"MaximumRetryAttempts", 3000000000}}},
           {"RetryStrategy", {{"MaximumRetryAttempts", "1"}}},
           {"ProfilerConfig", {{"ProfilingIntervalInMilliseconds", 1e30}}}}) {
    EXPECT_TRUE(With(member, value).starts_with("SerializationException: ")) << value;
  }
  EXPECT_EQ(With("TrainingJobName", 1),
            "SerializationException: NUMBER_VALUE can not be converted to a String (at "
            "'trainingJobName')");
  for (const Json& body : {Json::array(), Json("text"), Json(1)}) {
    EXPECT_EQ(Validate("ListTrainingJobs", body)->code, "SerializationException");
  }
}

TEST(ValidateTest, TimesAreAnyNumber) {
  const auto after = [](const Json& time) {
    return Validate("ListTrainingJobs", {{"CreationTimeAfter", time}});
  };
  for (const Json& time : {Json(0), Json(-5), Json(1.5e9), Json(1794701262.904)}) {
    EXPECT_EQ(after(time), std::nullopt) << time;
  }
  EXPECT_EQ(after("2026-01-01")->code, "SerializationException");
  EXPECT_EQ(after(std::numeric_limits<double>::infinity())->code, "SerializationException");
}

TEST(ValidateTest, LengthsAreOfCharactersNotBytes) {
  std::string name;
  for (int i = 0; i < 256; ++i) name += "\xC3\xA9";
  EXPECT_EQ(CodePoints(name), 256u);
  const auto rule = [&](const std::string& text) {
    return With("DebugRuleConfigurations",
                {{{"RuleConfigurationName", text}, {"RuleEvaluatorImage", "i"}}});
  };
  EXPECT_EQ(rule(name), "");
  EXPECT_NE(rule(name + "x"), "");
}

TEST(ValidateTest, HostileRequestsStaySmall) {
  Json tags = Json::array();
  for (int i = 0; i < 20'000; ++i) tags.push_back({{"Key", "?"}, {"Value", "?"}});
  const std::string told = With("Tags", tags);
  EXPECT_TRUE(told.starts_with("ValidationException: 40001 validation errors detected: "));
  EXPECT_LT(told.size(), 400'000u);
  Json deep = Json::object();
  for (int i = 0; i < 20; ++i) deep = {{"SubExpressions", {deep}}};
  EXPECT_EQ(Validate("Search", {{"Resource", "TrainingJob"}, {"SearchExpression", deep}}),
            std::nullopt);
}

TEST(JavaPatternTest, MeansWhatItMeansInJava) {
  const auto matches = [](const char* java, const char* text) {
    const Result<Pattern> pattern = CompileJavaPattern(java);
    EXPECT_TRUE(pattern.ok()) << pattern.status().message();
    return pattern.ok() && pattern.value().Search(text);
  };
  EXPECT_TRUE(matches(".*", "any thing"));
  for (const char* text : {"a\nb", "a\rb", "a\n", "a\xE2\x80\xA8", "\xC2\x85"}) {
    EXPECT_FALSE(matches(".*", text)) << text;
  }
  EXPECT_TRUE(matches("[.]\\.", "..")) << "a point in brackets is a point";
  EXPECT_FALSE(matches("a|b", "ab")) << "the whole of it";
  EXPECT_FALSE(matches("\\d", "\xD9\xA1")) << "Arabic one";
  EXPECT_TRUE(matches("[\\p{Alnum}\\-]+", "a-1"));
  EXPECT_TRUE(matches("[\\p{L}]", "\xC3\xA9"));
  EXPECT_TRUE(matches("[\\u0020-\\uD7FF\\uD800\\uDC00-\\uDBFF\\uDFFF\\t]*", "a\t\xF0\x9F\x98\x80"));
  EXPECT_FALSE(matches("[\\u0020-\\uD7FF]*", "\x01"));
  EXPECT_FALSE(CompileJavaPattern("(").ok());
}

}  // namespace
}  // namespace warden::sagemaker
