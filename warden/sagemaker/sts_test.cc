#include "warden/sagemaker/sts.h"

#include <gtest/gtest.h>

namespace warden::sagemaker {
namespace {

http::Response Ask(const std::string& form) {
  http::RequestHead head;
  head.id = "request-1";
  return AnswerForm(form, {"WARDENKEY", "123456789012", "us-east-1", 3}, head);
}

bool Has(const http::Response& response, const char* text) {
  return response.body.find(text) != std::string::npos;
}

TEST(StsTest, TellsWhoAsks) {
  const http::Response answer = Ask("Action=GetCallerIdentity&Version=2011-06-15");
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(Has(answer, "<Account>123456789012</Account>"));
  EXPECT_TRUE(Has(answer, "<Arn>arn:aws:iam::123456789012:user/WARDENKEY</Arn>"));
  EXPECT_TRUE(Has(answer, "<RequestId>request-1</RequestId>"));
}

TEST(StsTest, AnyRoleHasAnArn) {
  const http::Response answer = Ask("Action=GetRole&RoleName=My%2BRole&Version=2010-05-08");
  EXPECT_TRUE(Has(answer, "<Arn>arn:aws:iam::123456789012:role/My+Role</Arn>"));
  for (const char* name : {"", "a%2Fb", "%3Cb%3E", "a+b"}) {
    const http::Response refused =
        Ask(std::string("Action=GetRole&Version=2010-05-08&RoleName=") + name);
    EXPECT_EQ(refused.status, 400) << name;
    EXPECT_TRUE(Has(refused, "<Code>ValidationError</Code>"));
  }
}

TEST(StsTest, ARoleMayDoAnything) {
  const std::string ask = "Action=SimulatePrincipalPolicy&Version=2010-05-08";
  const http::Response answer = Ask(ask +
                                    "&PolicySourceArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2FDemo"
                                    "&ActionNames.member.1=s3%3APutObject"
                                    "&ActionNames.member.2=s3%3AGetObject"
                                    "&ResourceArns.member.1=arn%3Aaws%3As3%3A%3A%3Ab%2F%2A");
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(Has(answer,
                  "<member><EvalActionName>s3:GetObject</EvalActionName><EvalResourceName>"
                  "arn:aws:s3:::b/*</EvalResourceName><EvalDecision>allowed</EvalDecision>"
                  "</member></EvaluationResults>"))
      << answer.body;
  EXPECT_TRUE(Has(Ask(ask + "&ActionNames.member.1=a"), "<EvalResourceName>*</EvalResourceName>"));
  EXPECT_TRUE(Has(Ask(ask), "<Code>InvalidInput</Code>"));
}

TEST(StsTest, SaysWhatItDoesNotKnow) {
  EXPECT_TRUE(Has(Ask("Action=AssumeRole&Version=2011-06-15"), "<Code>InvalidAction</Code>"));
  EXPECT_TRUE(Has(Ask(""), "<Code>MissingAction</Code>"));
  EXPECT_TRUE(Has(Ask("Action=%zz&=&&&"), "<Code>MissingAction</Code>"));
  EXPECT_TRUE(Has(Ask("Action=%3Cx%3E"), "Could not find operation &lt;x&gt;"));
}

}  // namespace
}  // namespace warden::sagemaker
