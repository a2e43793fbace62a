#include "warden/sagemaker/sts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "warden/base/text/uri.h"
#include "warden/net/xml.h"

namespace warden::sagemaker {
namespace {

constexpr std::string_view kStsNamespace = "https://sts.amazonaws.com/doc/2011-06-15/";
constexpr std::string_view kIamNamespace = "https://iam.amazonaws.com/doc/2010-05-08/";
constexpr std::string_view kIamVersion = "2010-05-08";
constexpr size_t kMaxFields = 1000;
constexpr size_t kMaxRoleName = 64;

class Form {
 public:
  explicit Form(std::string_view text) {
    while (!text.empty() && fields_.size() < kMaxFields) {
      const size_t end = text.find('&');
      const std::string_view pair = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      const size_t equals = pair.find('=');
      if (equals == std::string_view::npos) continue;
      const std::optional<std::string> name = StrictUriDecode(pair.substr(0, equals), true);
      const std::optional<std::string> value = StrictUriDecode(pair.substr(equals + 1), true);
      if (name && value) fields_.emplace_back(*name, *value);
    }
  }

  std::string_view operator[](std::string_view name) const {
    for (const auto& [key, value] : fields_) {
      if (key == name) return value;
    }
    return {};
  }

  // The values of "NAME.member.1", "NAME.member.2" and so on, in the order in which they are sent.
  std::vector<std::string_view> List(std::string_view name) const {
    const std::string prefix = fmt::format("{}.member.", name);
    std::vector<std::string_view> values;
    for (const auto& [key, value] : fields_) {
      if (key.starts_with(prefix)) values.push_back(value);
    }
    return values;
  }

 private:
  QueryPairs fields_;
};

http::Response InXml(const net::XmlWriter& xml, const http::RequestHead& head, int status = 200) {
  http::Response response;
  response.status = status;
  response.headers = {{"Content-Type", "text/xml"}, {"x-amzn-RequestId", head.id}};
  response.body = xml.text();
  return response;
}

http::Response Fail(std::string_view code, std::string_view message, const Form& form,
                    const http::RequestHead& head) {
  net::XmlWriter xml;
  xml.Open("ErrorResponse", form["Version"] == kIamVersion ? kIamNamespace : kStsNamespace)
      .Open("Error")
      .Leaf("Type", "Sender")
      .Leaf("Code", code)
      .Leaf("Message", message)
      .Close("Error")
      .Leaf("RequestId", head.id)
      .Close("ErrorResponse");
  return InXml(xml, head, 400);
}

void WriteMetadata(const http::RequestHead& head, net::XmlWriter* xml) {
  xml->Open("ResponseMetadata").Leaf("RequestId", head.id).Close("ResponseMetadata");
}

http::Response GetCallerIdentity(const auth::Identity& identity, const http::RequestHead& head) {
  net::XmlWriter xml;
  xml.Open("GetCallerIdentityResponse", kStsNamespace)
      .Open("GetCallerIdentityResult")
      .Leaf("Arn", fmt::format("arn:aws:iam::{}:user/{}", identity.account, identity.access_key))
      .Leaf("UserId", identity.access_key)
      .Leaf("Account", identity.account)
      .Close("GetCallerIdentityResult");
  WriteMetadata(head, &xml);
  xml.Close("GetCallerIdentityResponse");
  return InXml(xml, head);
}

bool IsRoleName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxRoleName &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view("_+=,.@-").find(c) != std::string_view::npos;
         });
}

http::Response GetRole(const Form& form, const auth::Identity& identity,
                       const http::RequestHead& head) {
  const std::string_view name = form["RoleName"];
  if (!IsRoleName(name)) {
    return Fail("ValidationError",
                "The specified value for roleName is invalid. It must contain only alphanumeric "
                "characters and/or the following: +=,.@_- and be 1 to 64 characters long",
                form, head);
  }
  net::XmlWriter xml;
  xml.Open("GetRoleResponse", kIamNamespace)
      .Open("GetRoleResult")
      .Open("Role")
      .Leaf("Path", "/")
      .Leaf("Arn", fmt::format("arn:aws:iam::{}:role/{}", identity.account, name))
      .Leaf("RoleName", name)
      .Leaf("RoleId", name)
      .Leaf("CreateDate", "1970-01-01T00:00:00Z")
      .Close("Role")
      .Close("GetRoleResult");
  WriteMetadata(head, &xml);
  xml.Close("GetRoleResponse");
  return InXml(xml, head);
}

// Version 3 of the SageMaker SDK asks what a role may do before it trains. Roles restrict nothing
// here: what a request may do is up to the key that it is signed with.
http::Response SimulatePrincipalPolicy(const Form& form, const http::RequestHead& head) {
  const std::vector<std::string_view> actions = form.List("ActionNames");
  std::vector<std::string_view> resources = form.List("ResourceArns");
  if (resources.empty()) resources.emplace_back("*");
  if (actions.empty() || actions.size() * resources.size() > kMaxFields) {
    return Fail("InvalidInput",
                fmt::format("ActionNames has {} members and ResourceArns {}; expected at least one "
                            "action and at most {} pairs",
                            actions.size(), resources.size(), kMaxFields),
                form, head);
  }
  net::XmlWriter xml;
  xml.Open("SimulatePrincipalPolicyResponse", kIamNamespace)
      .Open("SimulatePrincipalPolicyResult")
      .Leaf("IsTruncated", "false")
      .Open("EvaluationResults");
  for (const std::string_view action : actions) {
    for (const std::string_view resource : resources) {
      xml.Open("member")
          .Leaf("EvalActionName", action)
          .Leaf("EvalResourceName", resource)
          .Leaf("EvalDecision", "allowed")
          .Close("member");
    }
  }
  xml.Close("EvaluationResults").Close("SimulatePrincipalPolicyResult");
  WriteMetadata(head, &xml);
  xml.Close("SimulatePrincipalPolicyResponse");
  return InXml(xml, head);
}

}  // namespace

http::Response AnswerForm(const std::string& body, const auth::Identity& identity,
                          const http::RequestHead& head) {
  const Form form(body);
  const std::string_view action = form["Action"];
  if (action == "GetCallerIdentity") return GetCallerIdentity(identity, head);
  if (action == "GetRole") return GetRole(form, identity, head);
  if (action == "SimulatePrincipalPolicy") return SimulatePrincipalPolicy(form, head);
  if (action.empty()) return Fail("MissingAction", "The request has no Action", form, head);
  return Fail("InvalidAction",
              fmt::format("Could not find operation {} for version {}", action, form["Version"]),
              form, head);
}

}  // namespace warden::sagemaker
