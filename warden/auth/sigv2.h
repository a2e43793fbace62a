#ifndef WARDEN_AUTH_SIGV2_H_
#define WARDEN_AUTH_SIGV2_H_

// Amazon's signatures, version 2, of S3's URLs and forms alone: what boto3 and the aws CLI make for
// us-east-1 by default. Pure functions, safe for many threads. Used by
// keyring.cc.

#include <chrono>
#include <string>
#include <string_view>
#include <variant>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"

namespace warden::auth {

// What a URL says about its signature:
// ?AWSAccessKeyId=AKIDEXAMPLE&Signature=...&Expires=1794702000. None of it is trusted until the
// signature is compared.
struct UrlSignature {
  std::string access_key;            // The ID; may be unknown.
  std::string signature;             // HMAC-SHA1 in base64.
  std::string session_token;         // Empty: none.
  std::chrono::sys_seconds expires;  // The URL is good until then.
};

// Whether the query has such a signature, and none of version 4.
bool HasUrlSignature(const http::RequestHead& head);
// Reads it. IncompleteSignatureException, with what is wrong, for anything malformed.
std::variant<UrlSignature, Refusal> ParseUrlSignature(const http::RequestHead& head);

// The text that is signed: method, Content-MD5, Content-Type, end of validity, x-amz- headers, path
// and those parameters that change what is asked for:
//
//   GET
//
//
//   1794702000
//   /bucket/key?response-content-type=text/plain
std::string StringToSignV2(const http::RequestHead& head, const UrlSignature& signature);

// HMAC-SHA1 of the text in base64: the signature of the text above, or of the policy of a form.
std::string SignatureV2(std::string_view secret, std::string_view text);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_SIGV2_H_
