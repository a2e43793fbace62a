// The input as a head, written as clients send it: what it says about its signature, and what is
// signed by it.

#include "warden/service/auth/sigv4.h"

#include <string>

#include "fuzz/check.h"
#include "warden/service/auth/keyring.h"
#include "warden/service/auth/uri_text.h"

namespace warden::fuzz {
namespace {

// Everything up to the mark, and without it.
std::string_view Cut(std::string_view* text, std::string_view mark) {
  const std::string_view part = text->substr(0, text->find(mark));
  text->remove_prefix(std::min(text->size(), part.size() + mark.size()));
  return part;
}

// "METHOD PATH?QUERY", then a header on each line.
service::RequestHead HeadOf(std::string_view text) {
  service::RequestHead head;
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
void CheckSigned(const service::RequestHead& head, service::Signature signature) {
  const std::string expected = service::ExpectedSignature("secret", head, signature, "hash");
  Check(expected.size() == 64);
  Check(expected != service::ExpectedSignature("other", head, signature, "hash"));
  Check(expected != service::ExpectedSignature("secret", head, signature, "hush"));
  const auto time = service::ParseSignatureTime(signature.time);
  Check(time.has_value() && signature.time.starts_with(signature.date));

  service::Keyring ring;
  service::AccessKey key;
  key.id = signature.access_key;
  key.secret = actions::Secret("secret");
  key.session_token = actions::Secret(signature.session_token);
  ring.keys = {key};
  ring.now = [time] { return *time; };
  const auto verdict = service::MakeAuthenticator(ring)->Check(head, "hash");
  Check(std::holds_alternative<service::Identity>(verdict) == (expected == signature.signature));
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using warden::fuzz::Check;
  const std::string_view text = warden::fuzz::Text(data, size);
  Check(warden::service::UriDecode(warden::service::UriEncode(text, true)) == text);
  const auto head = warden::fuzz::HeadOf(text);
  const auto parsed = warden::service::ParseSignature(head);
  if (const auto* signature = std::get_if<warden::service::Signature>(&parsed)) {
    warden::fuzz::CheckSigned(head, *signature);
  } else {
    Check(!std::get<warden::service::Refusal>(parsed).message.empty());
  }
  return 0;
}
