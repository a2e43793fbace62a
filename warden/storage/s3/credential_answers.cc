#include "warden/storage/s3/credential_answers.h"

#include <fmt/format.h>

#include <utility>

#include "warden/base/json.h"
#include "warden/net/xml.h"
#include "warden/storage/s3/answers.h"

namespace warden::storage::s3 {
namespace {

Status NoKeysIn(std::string_view source) {
  return Status(Code::kInvalid, fmt::format("{} answered without keys", source));
}

std::string TextIn(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// The first element of that name, in the order of the document; null if there is none.
const net::XmlElement* FindElement(const net::XmlElement& root, std::string_view name) {
  if (root.name == name) return &root;
  for (const net::XmlElement& child : root.children) {
    if (const net::XmlElement* found = FindElement(child, name)) return found;
  }
  return nullptr;
}

}  // namespace

Result<Credentials> CredentialsInJson(std::string_view text, std::string source) {
  const Result<Json> json = ParseJson(text);
  if (!json.ok() || !json.value().is_object()) return NoKeysIn(source);
  Credentials keys{TextIn(json.value(), "AccessKeyId"), TextIn(json.value(), "SecretAccessKey"),
                   TextIn(json.value(), "Token"), ParseIsoTime(TextIn(json.value(), "Expiration")),
                   std::move(source)};
  if (keys.access_key.empty() || keys.secret_key.empty()) return NoKeysIn(keys.source);
  return keys;
}

Result<Credentials> CredentialsInXml(std::string_view text, std::string source) {
  const Result<net::XmlElement> root = net::ParseXml(text);
  const net::XmlElement* found = root.ok() ? FindElement(root.value(), "Credentials") : nullptr;
  if (found == nullptr) return NoKeysIn(source);
  Credentials keys{std::string(found->Text("AccessKeyId")),
                   std::string(found->Text("SecretAccessKey")),
                   std::string(found->Text("SessionToken")),
                   ParseIsoTime(found->Text("Expiration")), std::move(source)};
  if (keys.access_key.empty() || keys.secret_key.empty()) return NoKeysIn(keys.source);
  return keys;
}

}  // namespace warden::storage::s3
