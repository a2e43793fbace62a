// The input as a head, written as clients send it, and as the fields of a form: what they say about
// their signature, and what is signed by it.

#include "warden/auth/sigv4.h"

#include <string>

#include "fuzz/check.h"
#include "warden/auth/keyring.h"
#include "warden/auth/sigv2.h"
#include "warden/base/text/uri.h"

namespace warden::fuzz {
namespace {

// Everything up to the mark, and without it.
std::string_view Cut(std::string_view* text, std::string_view mark) {
  const std::string_view part = text->substr(0, text->find(mark));
  text->remove_prefix(std::min(text->size(), part.size() + mark.size()));
  return part;
}

// "METHOD PATH?QUERY", then a header on each line.
http::RequestHead HeadOf(std::string_view text) {
  http::RequestHead head;
  std::string_view line = Cut(&text, "\n");
  head.method = Cut(&line, " ");
  head.path = Cut(&line, "?");
  head.query = line;
  while (!text.empty()) {
    line = Cut(&text, "\n");
    const std::string_view name = Cut(&line, ": ");
    head.headers.emplace_back(name, line);
  }
  return head;
}

// Whoever knows the secret can sign it, and nobody else.
void CheckSigned(const http::RequestHead& head, auth::Signature signature) {
  const std::string expected = auth::ExpectedSignature("secret", head, signature, "hash");
  Check(expected.size() == 64);
  Check(expected != auth::ExpectedSignature("other", head, signature, "hash"));
  Check(expected != auth::ExpectedSignature("secret", head, signature, "hush"));
  const auto time = auth::ParseSignatureTime(signature.time);
  Check(time.has_value() && signature.time.starts_with(signature.date));

  auth::Keyring ring;
  auth::AccessKey key;
  key.id = signature.access_key;
  key.secret = os::Secret("secret");
  key.session_token = os::Secret(signature.session_token);
  ring.keys = {key};
  ring.now = [time] { return *time; };
  const auto verdict = auth::MakeAuthenticator(ring)->Check(head, "hash");
  Check(std::holds_alternative<auth::Identity>(verdict) == (expected == signature.signature));
}

// The policy of a form is signed like a request.
void UseAsForm(const QueryPairs& fields) {
  const auto parsed = auth::ParseFormSignature(fields);
  if (const auto* refusal = std::get_if<auth::Refusal>(&parsed)) {
    Check(refusal->code == "IncompleteSignatureException" && !refusal->message.empty());
    return;
  }
  const auto& signature = std::get<auth::Signature>(parsed);
  const std::string expected = auth::ExpectedFormSignature("secret", "policy", signature);
  Check(expected.size() == 64);
  Check(expected != auth::ExpectedFormSignature("other", "policy", signature));
  Check(expected != auth::ExpectedFormSignature("secret", "another", signature));
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using warden::fuzz::Check;
  const std::string_view text = warden::fuzz::Text(data, size);
  Check(warden::UriDecode(warden::UriEncode(text, true)) == text);
  warden::fuzz::UseAsForm(warden::ParseQuery(text));
  const auto head = warden::fuzz::HeadOf(text);
  const auto url = warden::auth::ParseUrlSignature(head);
  if (const auto* signature = std::get_if<warden::auth::UrlSignature>(&url)) {
    const std::string to_sign = warden::auth::StringToSignV2(head, *signature);
    Check(to_sign.starts_with(head.method + "\n"));
    Check(warden::auth::SignatureV2("secret", to_sign).size() == 28);
  }
  const auto parsed = warden::auth::ParseSignature(head);
  if (const auto* signature = std::get_if<warden::auth::Signature>(&parsed)) {
    warden::fuzz::CheckSigned(head, *signature);
  } else {
    Check(!std::get<warden::auth::Refusal>(parsed).message.empty());
  }
  return 0;
}
