#ifndef WARDEN_AUTH_SIGV4_H_
#define WARDEN_AUTH_SIGV4_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"

namespace warden::auth {

// What requests call the way in which they are signed.
inline constexpr std::string_view kSigningAlgorithm = "AWS4-HMAC-SHA256";

// Amazon's signatures, version 4: what a request says about its own, and what it ought to be.
struct Signature {
  std::string access_key;
  std::string date;  // "20261115".
  std::string region;
  std::string service;
  std::vector<std::string> signed_headers;  // In lower case, in the order given.
  std::string signature;                    // 64 hexadecimal digits.
  std::string time;                         // "20261115T001835Z".
  std::string session_token;                // Empty: none.
  bool is_in_query = false;                 // A URL that was signed for others to use.
  std::chrono::seconds lifetime{0};         // Of such a URL.

  // "20261115/us-east-1/sagemaker/aws4_request".
  std::string Scope() const;
};

// Takes it from the Authorization header, or from the query if it is there. What does not follow
// the rules is refused with what is wrong, and so are requests with x-amz- headers that are not
// signed: anyone could have added them.
std::variant<Signature, Refusal> ParseSignature(const http::RequestHead& head);

// Nothing if it is no such time.
std::optional<std::chrono::sys_seconds> ParseSignatureTime(std::string_view text);

// What is signed, step by step.
std::string CanonicalRequest(const http::RequestHead& head, const Signature& signature,
                             std::string_view payload_hash);
std::string StringToSign(const Signature& signature, std::string_view canonical_request);
// The 32 bytes.
std::string SigningKey(std::string_view secret, const Signature& signature);
// In hexadecimal digits.
std::string ExpectedSignature(std::string_view secret, const http::RequestHead& head,
                              const Signature& signature, std::string_view payload_hash);

// Equal, in a time that does not tell where they differ.
bool IsSameSecret(std::string_view a, std::string_view b);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_SIGV4_H_
