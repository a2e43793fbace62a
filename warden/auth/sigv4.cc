#include "warden/auth/sigv4.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>

#include "warden/base/strings.h"
#include "warden/base/text/uri.h"
#include "warden/net/digest.h"

namespace warden::auth {
namespace {

std::string Hmac(std::string_view key, std::string_view text) {
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(),
       reinterpret_cast<unsigned char*>(digest.data()), &size);
  digest.resize(size);
  return digest;
}

// S3 signs the path as it is sent; the others encode that once more.
std::string CanonicalPath(const http::RequestHead& head, const Signature& signature) {
  const std::string path = UriEncode(UriDecode(head.path), /*also_slash=*/false);
  return signature.service == "s3" ? path : UriEncode(path, /*also_slash=*/false);
}

std::string CanonicalQuery(const http::RequestHead& head, const Signature& signature) {
  std::vector<std::pair<std::string, std::string>> parts;
  for (const auto& [name, value] : ParseQuery(head.query)) {
    if (signature.is_in_query && name == "X-Amz-Signature") continue;
    parts.emplace_back(UriEncode(name, true), UriEncode(value, true));
  }
  std::ranges::sort(parts);
  std::string query;
  for (const auto& [name, value] : parts) {
    if (!query.empty()) query += '&';
    query += name + "=" + value;
  }
  return query;
}

// Trimmed, with one blank for several.
std::string CanonicalValue(std::string_view value) {
  std::string clean;
  for (const char c : Trim(value)) {
    const bool is_blank = c == ' ' || c == '\t';
    if (is_blank && clean.ends_with(' ')) continue;
    clean += is_blank ? ' ' : c;
  }
  return clean;
}

// All values of a header, in the order sent.
std::string CanonicalHeader(const http::RequestHead& head, std::string_view name) {
  std::string line;
  for (const auto& [key, value] : head.headers) {
    if (LowerAscii(key) != name) continue;
    line += line.empty() ? std::string(name) + ":" : ",";
    line += CanonicalValue(value);
  }
  return line.empty() ? std::string(name) + ":" : line;
}

}  // namespace

std::string Signature::Scope() const {
  return fmt::format("{}/{}/{}/aws4_request", date, region, service);
}

std::string CanonicalRequest(const http::RequestHead& head, const Signature& signature,
                             std::string_view payload_hash) {
  std::string headers, names;
  for (const std::string& name : signature.signed_headers) {
    headers += CanonicalHeader(head, name) + "\n";
    names += names.empty() ? name : ";" + name;
  }
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", head.method, CanonicalPath(head, signature),
                     CanonicalQuery(head, signature), headers, names, payload_hash);
}

std::string StringToSign(const Signature& signature, std::string_view canonical_request) {
  return fmt::format("{}\n{}\n{}\n{}", kSigningAlgorithm, signature.time, signature.Scope(),
                     net::Hex(net::Sha256(canonical_request)));
}

std::string SigningKey(std::string_view secret, const Signature& signature) {
  std::string key = Hmac(fmt::format("AWS4{}", secret), signature.date);
  key = Hmac(key, signature.region);
  key = Hmac(key, signature.service);
  return Hmac(key, "aws4_request");
}

std::string ExpectedSignature(std::string_view secret, const http::RequestHead& head,
                              const Signature& signature, std::string_view payload_hash) {
  const std::string canonical = CanonicalRequest(head, signature, payload_hash);
  return net::Hex(Hmac(SigningKey(secret, signature), StringToSign(signature, canonical)));
}

std::string ExpectedFormSignature(std::string_view secret, std::string_view policy,
                                  const Signature& signature) {
  return net::HmacSha256Hex(SigningKey(secret, signature), policy);
}

bool IsSameSecret(std::string_view a, std::string_view b) {
  // Of digests, which are of one length.
  const std::string first = net::Sha256(a), second = net::Sha256(b);
  return CRYPTO_memcmp(first.data(), second.data(), first.size()) == 0;
}

}  // namespace warden::auth
