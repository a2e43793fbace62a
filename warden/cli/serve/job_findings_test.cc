#include "warden/cli/serve/job_findings.h"

#include <gtest/gtest.h>

namespace warden::cli {
namespace {

TEST(JobFindingsTest, AreReadFromThePageOfAJob) {
  rules::Finding finding;
  finding.id = 3;
  finding.step = 12;
  finding.message = "loss is NaN";
  const Json detail = {
      {"rules_seen",
       Json::array({{{"name", "Mine"},
                     {"rule", "LossNotDecreasing"},
                     {"status", "IssuesFound"},
                     {"doc", "The loss does not fall."},
                     {"findings", Json::array({rules::ToJson(finding), {{"id", "broken"}}})}},
                    {{"name", "Other"}, {"rule", "AllZero"}, {"status", "Dancing"}},
                    5})},
      {"incidents", Json::array({{{"rule", "Mine"}}})}};
  const JobFindings findings = FindingsIn(detail);
  ASSERT_EQ(findings.rules.size(), 1u);
  EXPECT_EQ(findings.rules[0].name, "Mine");
  EXPECT_EQ(findings.rules[0].doc, "The loss does not fall.");
  ASSERT_EQ(findings.rules[0].findings.size(), 1u);
  EXPECT_EQ(findings.rules[0].findings[0].id, 3);
  EXPECT_EQ(findings.incidents.size(), 1u);
}

TEST(JobFindingsTest, AnswersMayBeAnything) {
  for (const char* text : {"{}", "[]", "null", R"({"rules_seen": 5, "incidents": {}})"}) {
    const JobFindings findings = FindingsIn(ParseJson(text).value());
    EXPECT_TRUE(findings.rules.empty()) << text;
    EXPECT_EQ(findings.incidents, Json::array()) << text;
  }
}

}  // namespace
}  // namespace warden::cli
