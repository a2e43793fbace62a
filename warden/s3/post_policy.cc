#include "warden/s3/post_policy.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <set>

#include "warden/auth/sigv4.h"
#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"

namespace warden::s3 {
namespace {

// What a signature needs cannot be part of what is signed.
constexpr std::string_view kFree[] = {"policy", "signature", "x-amz-signature", "awsaccesskeyid",
                                      "file"};

S3Error Unreadable(std::string_view reason) {
  return {400, "InvalidPolicyDocument", fmt::format("Invalid Policy: {}.", reason)};
}

S3Error Denied(std::string_view reason) {
  return {403, "AccessDenied", fmt::format("Invalid according to Policy: {}", reason)};
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  std::string clean;
  for (const char c : text) {
    if (c != '\r' && c != '\n') clean += c;
  }
  if (clean.size() % 4 != 0) return std::nullopt;
  std::string bytes(clean.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(clean.data()),
                                   static_cast<int>(clean.size()));
  if (size < 0) return std::nullopt;
  // It counts the padding as bytes.
  const size_t padding = clean.size() - (clean.find_last_not_of('=') + 1);
  if (padding > 2) return std::nullopt;
  bytes.resize(static_cast<size_t>(size) - padding);
  return bytes;
}

// "2026-11-17T12:00:00Z" or with a fraction, which does not count.
std::optional<Time> ParseExpiration(std::string_view text) {
  if (text.size() < 20 || !text.ends_with('Z') || (text.size() > 20 && text[19] != '.')) {
    return std::nullopt;
  }
  std::string plain;  // As signatures have times: without dashes and colons.
  for (const char c : text.substr(0, 19)) {
    if (c != '-' && c != ':') plain += c;
  }
  const auto time = auth::ParseSignatureTime(plain + "Z");
  return time ? std::optional<Time>(*time) : std::nullopt;
}

// The value of a field; several of one name are joined, as at Amazon.
std::string FieldOf(const QueryPairs& fields, std::string_view name) {
  std::string all;
  for (const auto& [field, value] : fields) {
    if (field != name) continue;
    if (!all.empty()) all += ',';
    all += value;
  }
  return all;
}

class Checker {
 public:
  Checker(const QueryPairs& fields, SizeRange* range) : fields_(fields), range_(range) {}

  std::optional<S3Error> Check(const Json& condition) {
    if (condition.is_object()) return CheckObject(condition);
    if (!condition.is_array() || condition.size() != 3 || !condition[0].is_string()) {
      return Unreadable("a condition is neither an object nor a list of three");
    }
    const std::string kind = LowerAscii(condition[0].get<std::string>());
    if (kind == "content-length-range") return CheckRange(condition);
    if (!condition[1].is_string() || !condition[2].is_string()) {
      return Unreadable("a condition does not compare texts");
    }
    const std::string name = condition[1].get<std::string>();
    const std::string wanted = condition[2].get<std::string>();
    if (!name.starts_with('$')) return Unreadable("the name of a field must begin with '$'");
    if (kind == "eq") return Compare(name.substr(1), wanted, /*whole=*/true);
    if (kind == "starts-with") return Compare(name.substr(1), wanted, /*whole=*/false);
    return Unreadable(fmt::format("unknown condition '{}'", kind));
  }

  std::optional<S3Error> CheckAllNamed() const {
    for (const auto& [name, value] : fields_) {
      const bool is_free =
          name.starts_with("x-ignore-") || std::ranges::find(kFree, name) != std::end(kFree);
      // The bucket is not a field but part of the address, and may stay unmentioned only if the
      // policy is good for any: that is refused, too.
      if (!is_free && !named_.contains(name)) {
        return Denied(fmt::format("Extra input fields: {}", name));
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<S3Error> CheckObject(const Json& condition) {
    for (const auto& [name, value] : condition.items()) {
      if (!value.is_string()) return Unreadable("a condition does not compare texts");
      if (auto error = Compare(name, value.get<std::string>(), /*whole=*/true)) return error;
    }
    return std::nullopt;
  }

  std::optional<S3Error> CheckRange(const Json& condition) {
    const auto number = [](const Json& json) -> std::optional<int64_t> {
      if (json.is_number_integer()) return json.get<int64_t>();
      return json.is_string() ? ParseInt(json.get<std::string>()) : std::nullopt;
    };
    const auto least = number(condition[1]), most = number(condition[2]);
    if (!least || !most || *least < 0 || *most < 0) {
      return Unreadable("content-length-range needs two numbers of bytes");
    }
    range_->least = std::max(range_->least, static_cast<uint64_t>(*least));
    range_->most = std::min(range_->most, static_cast<uint64_t>(*most));
    return std::nullopt;
  }

  std::optional<S3Error> Compare(const std::string& field, const std::string& wanted, bool whole) {
    const std::string name = LowerAscii(field);
    named_.insert(name);
    const std::string value = FieldOf(fields_, name);
    const bool holds = whole ? value == wanted : value.starts_with(wanted);
    if (holds) return std::nullopt;
    return Denied(fmt::format("Policy Condition failed: [\"{}\", \"${}\", \"{}\"]",
                              whole ? "eq" : "starts-with", field, wanted));
  }

  const QueryPairs& fields_;
  SizeRange* const range_;
  std::set<std::string> named_;
};

}  // namespace

std::optional<S3Error> CheckPolicy(std::string_view policy, const QueryPairs& fields, Time now,
                                   SizeRange* range) {
  const std::optional<std::string> text = DecodeBase64(policy);
  if (!text) return Unreadable("it is not base64");
  const Result<Json> json = ParseJson(*text);
  if (!json.ok() || !json.value().is_object()) return Unreadable("it is not a JSON object");
  const auto expiration = ParseExpiration(TextOf(MemberOf(json.value(), "expiration")));
  if (!expiration) return Unreadable("its expiration is not a time such as 2026-01-02T03:04:05Z");
  if (now > *expiration) return Denied("Policy expired.");
  const Json* conditions = MemberOf(json.value(), "conditions");
  if (conditions == nullptr || !conditions->is_array()) return Unreadable("it has no conditions");
  Checker checker(fields, range);
  for (const Json& condition : *conditions) {
    if (auto error = checker.Check(condition)) return error;
  }
  return checker.CheckAllNamed();
}

}  // namespace warden::s3
