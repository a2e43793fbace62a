#include "warden/auth/keyring.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "warden/auth/sigv2.h"
#include "warden/auth/sigv4.h"
#include "warden/base/strings.h"
#include "warden/net/digest.h"

namespace warden::auth {
namespace {

constexpr std::string_view kBearer = "bearer ";
constexpr std::string_view kSignedChunks = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";

// Of an unknown key, of a wrong session token and of a wrong bearer token alike.
Refusal Unrecognized() {
  return {"UnrecognizedClientException", "The security token included in the request is invalid."};
}

Refusal WrongSignature() {
  return {"InvalidSignatureException",
          "The request signature we calculated does not match the signature you provided. Check "
          "your secret access key and signing method."};
}

// In S3's own words, which people search for.
Refusal Expired() { return {"AccessDenied", "Request has expired"}; }

bool IsBearer(std::string_view authorization) {
  return LowerAscii(authorization.substr(0, kBearer.size())) == kBearer;
}

class KeyringAuthenticator : public Authenticator {
 public:
  explicit KeyringAuthenticator(Keyring keyring) : ring_(std::move(keyring)) {}

  Verdict Check(const http::RequestHead& head, std::string_view payload_hash) const override {
    const std::string_view text = Trim(head.Header("Authorization"));
    if (IsBearer(text)) return CheckToken(Trim(text.substr(kBearer.size())));
    if (text.empty() && HasUrlSignature(head)) return CheckUrl(head);
    const auto parsed = ParseSignature(head);
    if (const auto* refusal = std::get_if<Refusal>(&parsed)) return *refusal;
    return CheckSignature(head, *std::get_if<Signature>(&parsed), payload_hash);
  }

  std::optional<Refusal> CheckHead(const http::RequestHead& head) const override {
    const std::string_view text = Trim(head.Header("Authorization"));
    if (IsBearer(text) || (text.empty() && HasUrlSignature(head))) {
      // These do not depend on the body.
      const Verdict verdict = Check(head, "");
      const auto* refusal = std::get_if<Refusal>(&verdict);
      return refusal == nullptr ? std::nullopt : std::optional(*refusal);
    }
    const auto parsed = ParseSignature(head);
    if (const auto* refusal = std::get_if<Refusal>(&parsed)) return *refusal;
    const auto& signature = *std::get_if<Signature>(&parsed);
    if (Find(signature.access_key, signature.session_token) == nullptr) return Unrecognized();
    return CheckTime(signature);
  }

  Verdict CheckForm(const QueryPairs& fields) const override {
    const auto field = [&fields](std::string_view name) {
      const auto found = std::ranges::find(fields, name, &QueryPairs::value_type::first);
      return found == fields.end() ? std::string() : found->second;
    };
    const std::string policy = field("policy");
    if (policy.empty()) return Refusal{"MissingAuthenticationTokenException", "no policy"};
    if (!field("awsaccesskeyid").empty()) {
      const AccessKey* key = Find(field("awsaccesskeyid"), field("x-amz-security-token"));
      if (key == nullptr) return Unrecognized();
      const std::string expected = SignatureV2(key->secret.Reveal(), policy);
      if (!IsSameSecret(expected, field("signature"))) return WrongSignature();
      return IdentityOf(*key, ring_.region);
    }
    const auto parsed = ParseFormSignature(fields);
    if (const auto* refusal = std::get_if<Refusal>(&parsed)) return *refusal;
    const auto& signature = *std::get_if<Signature>(&parsed);
    const AccessKey* key = Find(signature.access_key, signature.session_token);
    if (key == nullptr) return Unrecognized();
    const std::string expected = ExpectedFormSignature(key->secret.Reveal(), policy, signature);
    if (!IsSameSecret(expected, signature.signature)) return WrongSignature();
    return IdentityOf(*key, signature.region);
  }

  std::optional<Identity> ViewerWith(std::string_view token) const override {
    const auto viewer = std::ranges::find(ring_.viewers, ViewerIdOf(token), &Viewer::id);
    if (viewer == ring_.viewers.end()) return std::nullopt;
    if (!IsSameSecret(net::Hex(net::Sha256(token)), viewer->digest)) return std::nullopt;
    return IdentityOf(*viewer);
  }

  std::optional<Identity> ViewerOf(std::string_view id) const override {
    const auto viewer = std::ranges::find(ring_.viewers, id, &Viewer::id);
    return viewer == ring_.viewers.end() ? std::nullopt : IdentityOf(*viewer);
  }

 private:
  // Null: no such key, or the wrong session token for it.
  const AccessKey* Find(std::string_view id, std::string_view session_token) const {
    const auto key = std::ranges::find(ring_.keys, id, &AccessKey::id);
    const bool is_it =
        key != ring_.keys.end() && IsSameSecret(session_token, key->session_token.Reveal());
    return is_it ? &*key : nullptr;
  }

  Identity IdentityOf(const AccessKey& key, const std::string& region) const {
    return Limited({.access_key = key.id,
                    .account = key.account.empty() ? ring_.account : key.account,
                    .region = region,
                    .scopes = key.scopes,
                    .limits = key.limits});
  }

  Identity Limited(Identity identity) const {
    if (!ring_.read_only) return identity;
    identity.scopes &= static_cast<uint8_t>(Scope::kRead);
    identity.read_only = "this service is read-only: it was started with --read-only";
    return identity;
  }

  std::optional<Identity> IdentityOf(const Viewer& viewer) const {
    if (std::chrono::floor<std::chrono::seconds>(ring_.now()) >= viewer.expires) {
      return std::nullopt;
    }
    return Identity{.access_key = viewer.name,
                    .account = ring_.account,
                    .region = ring_.region,
                    .scopes = static_cast<uint8_t>(Scope::kRead),
                    .read_only = "this link is view-only"};
  }

  Verdict CheckUrl(const http::RequestHead& head) const {
    const auto parsed = ParseUrlSignature(head);
    if (const auto* refusal = std::get_if<Refusal>(&parsed)) return *refusal;
    const auto& signature = *std::get_if<UrlSignature>(&parsed);
    const AccessKey* key = Find(signature.access_key, signature.session_token);
    if (key == nullptr) return Unrecognized();
    const std::string expected = SignatureV2(key->secret.Reveal(), StringToSignV2(head, signature));
    if (!IsSameSecret(expected, signature.signature)) return WrongSignature();
    if (ring_.now() > signature.expires) return Expired();
    return IdentityOf(*key, ring_.region);
  }

  Verdict CheckToken(std::string_view token) const {
    if (ring_.token.empty() || !IsSameSecret(token, ring_.token.Reveal())) return Unrecognized();
    return Limited({.access_key = "token",
                    .account = ring_.account,
                    .region = ring_.region,
                    .scopes = kAllScopes});
  }

  Verdict CheckSignature(const http::RequestHead& head, const Signature& signature,
                         std::string_view payload_hash) const {
    const AccessKey* key = Find(signature.access_key, signature.session_token);
    if (key == nullptr) return Unrecognized();
    if (auto refusal = CheckTime(signature)) return *refusal;
    // Whoever signs a URL does not know what will be sent to it.
    if (signature.is_in_query && payload_hash.empty()) payload_hash = "UNSIGNED-PAYLOAD";
    const std::string expected =
        ExpectedSignature(key->secret.Reveal(), head, signature, payload_hash);
    if (!IsSameSecret(expected, signature.signature)) return WrongSignature();
    Identity identity = IdentityOf(*key, signature.region);
    if (!signature.is_in_query) identity.signature = signature.signature;
    if (payload_hash.starts_with(kSignedChunks)) {
      identity.chunks = ChunkSeed{os::Secret(SigningKey(key->secret.Reveal(), signature)),
                                  signature.time, signature.Scope(), signature.signature};
    }
    return identity;
  }

  std::optional<Refusal> CheckTime(const Signature& signature) const {
    const auto signed_at = ParseSignatureTime(signature.time);
    const auto now = ring_.now();
    const auto last = *signed_at + (signature.is_in_query ? signature.lifetime : ring_.clock_skew);
    if (now <= last && *signed_at <= now + ring_.clock_skew) return std::nullopt;
    if (signature.is_in_query && now > last) return Expired();
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
