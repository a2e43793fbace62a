#ifndef WARDEN_AUTH_SIGV4_H_
#define WARDEN_AUTH_SIGV4_H_

// Amazon's signatures, version 4, step by step: what a request says about its signature, and what
// the signature ought to be. All functions are pure and safe for many threads. The authenticator
// uses them (keyring.cc); the dashboard uses IsSameSecret.
//
//   const auto parsed = ParseSignature(head);
//   const auto* signature = std::get_if<Signature>(&parsed);  // Else a Refusal.
//   const bool ok = IsSameSecret(ExpectedSignature(secret, head, *signature, payload_hash),
//                                signature->signature);

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"

namespace warden::auth {

// The only algorithm that is accepted, as requests name it.
inline constexpr std::string_view kSigningAlgorithm = "AWS4-HMAC-SHA256";

// What a request says about its signature. None of it is trusted until the signature is compared.
struct Signature {
  std::string access_key;                   // The ID; may be unknown.
  std::string date;                         // "20261115".
  std::string region;                       // Any: "us-east-1".
  std::string service;                      // sagemaker, s3, logs, sns, ...
  std::vector<std::string> signed_headers;  // In lower case, in the order given.
  std::string signature;                    // 64 hexadecimal digits.
  std::string time;                         // "20261115T001835Z".
  std::string session_token;                // Empty: none.
  bool is_in_query = false;                 // A URL that was signed for others to use.
  std::chrono::seconds lifetime{0};         // Of such a URL: 1 s to 7 days.

  // The scope that is part of what is signed: "20261115/us-east-1/sagemaker/aws4_request".
  std::string Scope() const;
};

// Reads the signature from the Authorization header or, if there is none, from the query.
// MissingAuthenticationTokenException if neither has one; IncompleteSignatureException, with what
// is wrong, for anything malformed. Requests with x-amz- headers that are not signed are refused
// too: anyone could have added them.
std::variant<Signature, Refusal> ParseSignature(const http::RequestHead& head);

// Reads the signature of a form's policy from its fields, whose names are in lower case. Only what
// SigningKey needs and the signature itself are set. IncompleteSignatureException.
std::variant<Signature, Refusal> ParseFormSignature(const QueryPairs& fields);
// The signature that the policy of a form ought to have: 64 lower-case hexadecimal digits.
std::string ExpectedFormSignature(std::string_view secret, std::string_view policy,
                                  const Signature& signature);

// Reads "20261115T001835Z"; nothing for any other text.
std::optional<std::chrono::sys_seconds> ParseSignatureTime(std::string_view text);

// The text of a request that is hashed, in the form that both sides agree on: method, path, query,
// signed headers with their values, the names of these, payload hash. For "GET /?list-type=2":
//
//   GET
//   /
//   list-type=2
//   host:127.0.0.1:8080
//   x-amz-date:20261115T001835Z
//
//   host;x-amz-date
//   e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
std::string CanonicalRequest(const http::RequestHead& head, const Signature& signature,
                             std::string_view payload_hash);
// The text that is signed: algorithm, time, scope and the hash of the canonical request.
std::string StringToSign(const Signature& signature, std::string_view canonical_request);
// The 32 bytes of the key that is derived from the secret for this date, region and service.
std::string SigningKey(std::string_view secret, const Signature& signature);
// The signature that the request ought to have: 64 lower-case hexadecimal digits. payload_hash as
// for Authenticator::Check; it must not be empty.
std::string ExpectedSignature(std::string_view secret, const http::RequestHead& head,
                              const Signature& signature, std::string_view payload_hash);

// Whether both are equal, in a time that does not reveal where they differ.
bool IsSameSecret(std::string_view a, std::string_view b);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_SIGV4_H_
