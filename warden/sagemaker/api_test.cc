#include <gtest/gtest.h>

#include "warden/net/digest.h"
#include "warden/sagemaker/operations/api_for_test.h"

namespace warden::sagemaker {
namespace {

std::string HeaderOf(const Answer& answer, const std::string& name) {
  for (const auto& [key, value] : answer.headers) {
    if (key == name) return value;
  }
  return {};
}

TEST_F(ApiTest, AnswersWithTheHeadersThatClientsRead) {
  const Answer good = Do("ListTrainingJobs", Json::object());
  EXPECT_EQ(good.status, 200);
  EXPECT_EQ(HeaderOf(good, "x-amzn-RequestId"), "request-1");
  EXPECT_EQ(HeaderOf(good, "Content-Type"), "application/x-amz-json-1.1");
  const Answer bad = Do("DescribeTrainingJob", {{"TrainingJobName", "none"}});
  EXPECT_EQ(bad.status, 400);
  EXPECT_EQ(HeaderOf(bad, "x-amzn-ErrorType"), "ValidationException");
  EXPECT_EQ(bad.message, "Requested resource not found.");
  EXPECT_FALSE(bad.body.contains("Message"));
}

TEST_F(ApiTest, TheSignatureCoversTheBody) {
  Do("ListTrainingJobs", Json::object());
  EXPECT_EQ(key.hash, net::Hex(net::Sha256("{}")));
  http::RequestHead head = Head("SageMaker.ListTrainingJobs");
  head.headers.emplace_back("Authorization", "wrong");
  EXPECT_EQ(Send(head, "{}").code, "InvalidSignatureException");
}

TEST_F(ApiTest, AFormIsRefusedInXml) {
  http::RequestHead head = Head("");
  head.headers = {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"},
                  {"Authorization", "wrong"}};
  auto exchange = api->Begin(head);
  exchange->Take("Action=GetCallerIdentity&Version=2011-06-15");
  const http::Response response = exchange->Answer();
  EXPECT_EQ(response.status, 403);
  EXPECT_NE(response.body.find("<Code>InvalidSignatureException</Code>"), std::string::npos);
}

TEST_F(ApiTest, WhatIsNoJsonIsToldOf) {
  for (const char* text : {"{", "[]", "7", "\"x\"", "nonsense", "{\"a\": \xff}"}) {
    const Answer answer = Send(Head("SageMaker.ListTrainingJobs"), text);
    EXPECT_EQ(answer.status, 400) << text;
    EXPECT_EQ(answer.code, "SerializationException") << text;
  }
  EXPECT_EQ(Send(Head("SageMaker.ListTrainingJobs"), "").status, 200);
}

TEST_F(ApiTest, ABodyThatIsTooLargeIsRefused) {
  const Answer answer = Send(Head("SageMaker.ListTrainingJobs"), std::string((1 << 20) + 1, ' '));
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(answer.code, "RequestTooLargeException");
}

TEST_F(ApiTest, UnknownOperationsAreToldOf) {
  for (const char* target : {"SageMaker.Dance", "SageMaker", "", "Other.ListTrainingJobs", "."}) {
    EXPECT_EQ(Send(Head(target), "{}").code, "UnknownOperationException") << target;
  }
}

TEST_F(ApiTest, KeysMayWhatTheirScopesSay) {
  Done("CreateTrainingJob", Request());
  key.scopes = static_cast<uint8_t>(auth::Scope::kRead);
  EXPECT_EQ(Describe()["TrainingJobName"], "demo-001");
  EXPECT_EQ(Refused("StopTrainingJob", {{"TrainingJobName", "demo-001"}}),
            "AccessDeniedException: User: arn:aws:iam::123456789012:user/AKIDEXAMPLE is not "
            "authorized to perform: sagemaker:StopTrainingJob on resource: "
            "arn:aws:sagemaker:us-east-1:123456789012:training-job/demo-001");
  key.scopes = static_cast<uint8_t>(auth::Scope::kWrite);
  EXPECT_EQ(Do("DescribeTrainingJob", {{"TrainingJobName", "demo-001"}}).code,
            "AccessDeniedException");
  EXPECT_EQ(Send(Head("Logs_20140328.DescribeLogStreams"), "{}").code, "AccessDeniedException");
  EXPECT_EQ(Do("StopTrainingJob", {{"TrainingJobName", "demo-001"}}).status, 200);
}

TEST_F(ApiTest, ConstraintsOfTheModelComeFirst) {
  Json request = Request("bad_name");
  EXPECT_EQ(Refused("CreateTrainingJob", request).substr(0, 68),
            "ValidationException: 1 validation error detected: Value 'bad_name' a");
  EXPECT_TRUE(supervisor.woken.empty());
}

}  // namespace
}  // namespace warden::sagemaker
