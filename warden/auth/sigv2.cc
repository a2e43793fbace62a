#include "warden/auth/sigv2.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <map>

#include "warden/base/strings.h"
#include "warden/base/text/uri.h"
#include "warden/net/digest.h"

namespace warden::auth {
namespace {

constexpr std::string_view kTokenHeader = "x-amz-security-token";
// Beyond what any clock counts: the year 2106.
constexpr int64_t kLatest = int64_t{1} << 32;

// The parameters that are part of what is asked for.
constexpr std::string_view kSigned[] = {
    "accelerate",
    "acl",
    "analytics",
    "cors",
    "delete",
    "inventory",
    "lifecycle",
    "location",
    "logging",
    "metrics",
    "notification",
    "object-lock",
    "partNumber",
    "policy",
    "replication",
    "requestPayment",
    "response-cache-control",
    "response-content-disposition",
    "response-content-encoding",
    "response-content-language",
    "response-content-type",
    "response-expires",
    "restore",
    "select",
    "select-type",
    "storageClass",
    "tagging",
    "torrent",
    "uploadId",
    "uploads",
    "versionId",
    "versioning",
    "versions",
    "website",
};

Refusal Unsound(std::string message) {
  return {"IncompleteSignatureException", std::move(message)};
}

// A header, or what a URL has in its place: boto3 moves signed headers to the query.
std::string ValueOf(const http::RequestHead& head, const QueryPairs& query,
                    std::string_view lower_case_name) {
  if (const std::string_view value = head.Header(lower_case_name); !value.empty()) {
    return std::string(value);
  }
  for (const auto& [name, value] : query) {
    if (LowerAscii(name) == lower_case_name) return value;
  }
  return "";
}

// "x-amz-meta-a:1\n" for each, sorted.
std::string AmazonHeaders(const http::RequestHead& head, const QueryPairs& query) {
  std::map<std::string, std::string> headers;
  for (const auto& [name, value] : head.headers) {
    std::string lower = LowerAscii(name);
    if (!lower.starts_with("x-amz-")) continue;
    std::string& all = headers[std::move(lower)];
    if (!all.empty()) all += ',';
    all += Trim(value);
  }
  for (const auto& [name, value] : query) {
    // A header that is sent counts.
    if (LowerAscii(name).starts_with("x-amz-")) headers.emplace(LowerAscii(name), Trim(value));
  }
  std::string text;
  for (const auto& [name, value] : headers) text += fmt::format("{}:{}\n", name, value);
  return text;
}

std::string Resource(const http::RequestHead& head, QueryPairs query) {
  std::erase_if(query, [](const auto& pair) {
    return std::ranges::find(kSigned, pair.first) == std::end(kSigned);
  });
  std::ranges::sort(query);
  std::string text = head.path;
  for (const auto& [name, value] : query) {
    text += text.size() == head.path.size() ? '?' : '&';
    text += name;
    if (!value.empty()) text += "=" + value;
  }
  return text;
}

}  // namespace

bool HasUrlSignature(const http::RequestHead& head) {
  const std::string query = "&" + head.query;
  return query.find("&AWSAccessKeyId=") != std::string::npos &&
         query.find("&X-Amz-Algorithm=") == std::string::npos;
}

std::variant<UrlSignature, Refusal> ParseUrlSignature(const http::RequestHead& head) {
  std::map<std::string, std::string, std::less<>> fields;
  for (auto& [name, value] : ParseQuery(head.query)) {
    const bool is_ours = name == "AWSAccessKeyId" || name == "Signature" || name == "Expires" ||
                         name == kTokenHeader;
    // A second one would be a way to say two things.
    if (is_ours && !fields.emplace(name, std::move(value)).second) {
      return Unsound(fmt::format("'{}' is given twice.", name));
    }
  }
  UrlSignature signature;
  signature.access_key = fields["AWSAccessKeyId"];
  signature.signature = fields["Signature"];
  signature.session_token = fields[std::string(kTokenHeader)];
  const auto expires = ParseInt(fields["Expires"]);
  if (signature.access_key.empty() || signature.signature.empty()) {
    return Unsound("The signature requires 'AWSAccessKeyId' and 'Signature'.");
  }
  if (!expires || *expires < 0 || *expires > kLatest) {
    return Unsound("Expires must be a time in seconds since 1970.");
  }
  signature.expires = std::chrono::sys_seconds(std::chrono::seconds(*expires));
  return signature;
}

std::string StringToSignV2(const http::RequestHead& head, const UrlSignature& signature) {
  const QueryPairs query = ParseQuery(head.query);
  return fmt::format("{}\n{}\n{}\n{}\n{}{}", head.method, ValueOf(head, query, "content-md5"),
                     ValueOf(head, query, "content-type"),
                     signature.expires.time_since_epoch().count(), AmazonHeaders(head, query),
                     Resource(head, query));
}

std::string SignatureV2(std::string_view secret, std::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HMAC(EVP_sha1(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &size);
  return net::Base64({reinterpret_cast<const char*>(digest), size});
}

}  // namespace warden::auth
