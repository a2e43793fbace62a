#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "warden/auth/sigv4.h"
#include "warden/base/strings.h"
#include "warden/base/text/uri.h"

namespace warden::auth {
namespace {

// The last three are not here: their clients get an error that names the replacement
// (sagemaker/replaced_services.h).
constexpr std::string_view kServices[] = {"sagemaker",  "s3",  "logs", "sts",   "iam",
                                          "monitoring", "sns", "ssm",  "events"};
constexpr size_t kMostSignedHeaders = 64;        // Each is looked for among all.
constexpr int64_t kLongestLife = 7 * 24 * 3600;  // Of a signed URL.

using Fields = std::map<std::string, std::string, std::less<>>;

Refusal Incomplete(std::string message) {
  return {"IncompleteSignatureException", std::move(message)};
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }

bool IsRegion(std::string_view text) {
  return !text.empty() && text.size() <= 64 &&
         std::ranges::all_of(text, [](char c) { return IsDigit(c) || IsLower(c) || c == '-'; });
}

// "Credential=..., SignedHeaders=..., Signature=...".
Fields FieldsOf(std::string_view text) {
  Fields fields;
  for (const std::string& part : SplitTrimmed(text, ',')) {
    const size_t sign = part.find('=');
    if (sign != std::string::npos) fields.emplace(part.substr(0, sign), part.substr(sign + 1));
  }
  return fields;
}

std::optional<Refusal> SetCredential(std::string_view text, Signature* signature) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (parts.size() != 5 || parts[4] != "aws4_request" || parts[0].empty()) {
    return Incomplete("Credential must be KEY/DATE/REGION/SERVICE/aws4_request.");
  }
  if (parts[1].size() != 8 || !std::ranges::all_of(parts[1], IsDigit)) {
    return Incomplete("The date in Credential must have eight digits.");
  }
  if (!IsRegion(parts[2])) return Incomplete("Credential has no region.");
  if (std::ranges::find(kServices, parts[3]) == std::end(kServices)) {
    return Incomplete("Credential must be scoped to sagemaker, s3, logs, monitoring, sts or iam.");
  }
  signature->access_key = parts[0];
  signature->date = parts[1];
  signature->region = parts[2];
  signature->service = parts[3];
  return std::nullopt;
}

std::optional<Refusal> SetSignedHeaders(std::string_view text, const http::RequestHead& head,
                                        Signature* signature) {
  signature->signed_headers = SplitTrimmed(text, ';');
  const auto& names = signature->signed_headers;
  if (names.size() > kMostSignedHeaders) return Incomplete("SignedHeaders has too many names.");
  for (const std::string& name : names) {
    if (name != LowerAscii(name)) return Incomplete("SignedHeaders must be in lower case.");
    const bool is_sent = std::ranges::any_of(
        head.headers, [&](const auto& header) { return LowerAscii(header.first) == name; });
    if (!is_sent) return Incomplete("A header listed in SignedHeaders was not sent.");
  }
  if (std::ranges::find(names, "host") == names.end()) {
    return Incomplete("'Host' must be a signed header.");
  }
  for (const auto& [name, value] : head.headers) {
    const std::string lower = LowerAscii(name);
    if (lower.starts_with("x-amz-") && std::ranges::find(names, lower) == names.end()) {
      return Incomplete("All x-amz- headers must be signed.");
    }
  }
  return std::nullopt;
}

std::optional<Refusal> SetSignature(std::string_view text, Signature* signature) {
  const bool is_hex = text.size() == 64 && std::ranges::all_of(text, [](char c) {
                        return IsDigit(c) || (c >= 'a' && c <= 'f');
                      });
  if (!is_hex) return Incomplete("Signature must be 64 hexadecimal digits.");
  signature->signature = text;
  return std::nullopt;
}

std::optional<Refusal> SetTime(std::string_view text, Signature* signature) {
  if (!ParseSignatureTime(text)) {
    return Incomplete("X-Amz-Date must be a time such as 20260102T030405Z.");
  }
  signature->time = text;
  if (signature->time.substr(0, 8) != signature->date) {
    return Incomplete("The date in Credential does not match X-Amz-Date.");
  }
  return std::nullopt;
}

// What both forms have in common.
std::variant<Signature, Refusal> Make(const http::RequestHead& head, const Fields& fields,
                                      std::string_view time, Signature signature) {
  for (const char* name : {"Credential", "SignedHeaders", "Signature"}) {
    if (!fields.contains(name))
      return Incomplete(fmt::format("The signature requires '{}'.", name));
  }
  if (time.empty()) return Incomplete("The signature requires 'X-Amz-Date'.");
  auto refusal = SetCredential(fields.at("Credential"), &signature);
  if (!refusal) refusal = SetSignedHeaders(fields.at("SignedHeaders"), head, &signature);
  if (!refusal) refusal = SetSignature(fields.at("Signature"), &signature);
  if (!refusal) refusal = SetTime(time, &signature);
  if (refusal) return *refusal;
  return signature;
}

std::variant<Signature, Refusal> FromQuery(const http::RequestHead& head) {
  Fields fields;
  for (auto& [name, value] : ParseQuery(head.query)) {
    if (!name.starts_with("X-Amz-")) continue;
    // The first counts, and a second would be a way to say two things.
    if (!fields.emplace(name.substr(6), std::move(value)).second) {
      return Incomplete(fmt::format("'{}' is given twice.", name));
    }
  }
  if (fields["Algorithm"] != kSigningAlgorithm) {
    return Incomplete("X-Amz-Algorithm must be AWS4-HMAC-SHA256.");
  }
  const auto lifetime = ParseInt(fields["Expires"]);
  if (!lifetime || *lifetime < 1 || *lifetime > kLongestLife) {
    return Incomplete("X-Amz-Expires must be a number of seconds, from 1 to 604800.");
  }
  Signature signature;
  signature.is_in_query = true;
  signature.lifetime = std::chrono::seconds(*lifetime);
  signature.session_token = fields["Security-Token"];
  return Make(head, fields, fields["Date"], std::move(signature));
}

}  // namespace

std::variant<Signature, Refusal> ParseSignature(const http::RequestHead& head) {
  const std::string_view text = Trim(head.Header("Authorization"));
  if (text.empty()) {
    if (("&" + head.query).find("&X-Amz-Algorithm=") != std::string::npos) return FromQuery(head);
    return Refusal{"MissingAuthenticationTokenException", "Missing Authentication Token"};
  }
  const size_t blank = text.find(' ');
  if (blank == std::string_view::npos || text.substr(0, blank) != kSigningAlgorithm) {
    return Incomplete("Authorization must begin with AWS4-HMAC-SHA256 or Bearer.");
  }
  Signature signature;
  signature.session_token = head.Header("X-Amz-Security-Token");
  return Make(head, FieldsOf(text.substr(blank + 1)), head.Header("X-Amz-Date"),
              std::move(signature));
}

std::variant<Signature, Refusal> ParseFormSignature(const QueryPairs& pairs) {
  Fields fields;
  for (const auto& [name, value] : pairs) {
    if (name.starts_with("x-amz-") && !fields.emplace(name.substr(6), value).second) {
      return Incomplete(fmt::format("'{}' is given twice.", name));
    }
  }
  if (fields["algorithm"] != kSigningAlgorithm) {
    return Incomplete("x-amz-algorithm must be AWS4-HMAC-SHA256.");
  }
  Signature signature;
  signature.session_token = fields["security-token"];
  auto refusal = SetCredential(fields["credential"], &signature);
  if (!refusal) refusal = SetSignature(fields["signature"], &signature);
  if (!refusal) refusal = SetTime(fields["date"], &signature);
  if (refusal) return *refusal;
  return signature;
}

std::optional<std::chrono::sys_seconds> ParseSignatureTime(std::string_view text) {
  if (text.size() != 16 || text[8] != 'T' || text[15] != 'Z') return std::nullopt;
  const auto number = [text](size_t at, size_t size) -> int {
    int value = 0;
    for (const char c : text.substr(at, size)) {
      if (!IsDigit(c)) return -1;
      value = value * 10 + (c - '0');
    }
    return value;
  };
  const std::chrono::year_month_day day(std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(4, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(6, 2))));
  const int hours = number(9, 2), minutes = number(11, 2), seconds = number(13, 2);
  const bool is_time = hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60 && seconds >= 0 &&
                       seconds < 61 && number(0, 4) >= 0 && day.ok();
  if (!is_time) return std::nullopt;
  return std::chrono::sys_days(day) + std::chrono::hours(hours) + std::chrono::minutes(minutes) +
         std::chrono::seconds(seconds);
}

}  // namespace warden::auth
