#include "warden/auth/keyring.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "warden/auth/sigv4.h"
#include "warden/base/strings.h"

namespace warden::auth {
namespace {

constexpr std::string_view kBearer = "bearer ";

// Of an unknown key, of a wrong session token and of a wrong bearer token alike.
Refusal Unrecognized() {
  return {"UnrecognizedClientException", "The security token included in the request is invalid."};
}

class KeyringAuthenticator : public Authenticator {
 public:
  explicit KeyringAuthenticator(Keyring keyring) : ring_(std::move(keyring)) {}

  Verdict Check(const http::RequestHead& head, std::string_view payload_hash) const override {
    const std::string_view text = Trim(head.Header("Authorization"));
    if (LowerAscii(text.substr(0, kBearer.size())) == kBearer) {
      return CheckToken(Trim(text.substr(kBearer.size())));
    }
    const auto parsed = ParseSignature(head);
    if (const auto* refusal = std::get_if<Refusal>(&parsed)) return *refusal;
    return CheckSignature(head, *std::get_if<Signature>(&parsed), payload_hash);
  }

 private:
  Verdict CheckToken(std::string_view token) const {
    if (ring_.token.empty() || !IsSameSecret(token, ring_.token.Reveal())) return Unrecognized();
    return Identity{.access_key = "token",
                    .account = ring_.account,
                    .region = ring_.region,
                    .scopes = kAllScopes};
  }

  Verdict CheckSignature(const http::RequestHead& head, const Signature& signature,
                         std::string_view payload_hash) const {
    const auto key = std::ranges::find(ring_.keys, signature.access_key, &AccessKey::id);
    if (key == ring_.keys.end() ||
        !IsSameSecret(signature.session_token, key->session_token.Reveal())) {
      return Unrecognized();
    }
    if (auto refusal = CheckTime(signature)) return *refusal;
    // Whoever signs a URL does not know what will be sent to it.
    if (signature.is_in_query && payload_hash.empty()) payload_hash = "UNSIGNED-PAYLOAD";
    const std::string expected =
        ExpectedSignature(key->secret.Reveal(), head, signature, payload_hash);
    if (!IsSameSecret(expected, signature.signature)) {
      return Refusal{"InvalidSignatureException",
                     "The request signature we calculated does not match the signature you "
                     "provided. Check your secret access key and signing method."};
    }
    return Identity{.access_key = key->id,
                    .account = key->account.empty() ? ring_.account : key->account,
                    .region = signature.region,
                    .scopes = key->scopes};
  }

  std::optional<Refusal> CheckTime(const Signature& signature) const {
    const auto signed_at = ParseSignatureTime(signature.time);
    const auto now = ring_.now();
    const auto last = *signed_at + (signature.is_in_query ? signature.lifetime : ring_.clock_skew);
    if (now <= last && *signed_at <= now + ring_.clock_skew) return std::nullopt;
    return Refusal{"RequestExpired",
                   fmt::format("The request was signed at {}, which differs too much from the "
                               "service's clock; check the clocks of both machines.",
                               signature.time)};
  }

  const Keyring ring_;
};

}  // namespace

std::unique_ptr<Authenticator> MakeAuthenticator(Keyring keyring) {
  return std::make_unique<KeyringAuthenticator>(std::move(keyring));
}

}  // namespace warden::auth
