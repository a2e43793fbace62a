#include "warden/actions/webhook.h"

#include <fmt/format.h>

#include <cstdlib>

#include "warden/actions/http_post.h"
#include "warden/base/json.h"
#include "warden/net/digest.h"

namespace warden::actions {
namespace {

Result<os::Secret> FindSecret(const WebhookConfig& config, const Settings& settings) {
  if (!config.secret_file.empty()) return os::ReadSecretFile(config.secret_file);
  if (config.secret_env.empty()) return settings.webhook_secret;
  const char* value = std::getenv(config.secret_env.c_str());
  if (value == nullptr || *value == '\0') {
    return Status(
        Code::kInvalid,
        fmt::format("the environment variable {} for the secret is not set", config.secret_env));
  }
  return os::Secret(value);
}

class Webhook : public Action {
 public:
  Webhook(WebhookConfig config, os::Secret secret, Origin origin)
      : config_(std::move(config)), secret_(std::move(secret)), origin_(std::move(origin)) {}

  Attempt Run(const Firing& firing, const std::stop_token& stop) override {
    HttpPost post;
    post.url = config_.url;
    post.body = DumpLikePython(EventOf(firing, origin_));
    post.headers = {"Content-Type: application/json", "User-Agent: tensorwarden",
                    "Idempotency-Key: " + EventId(firing)};
    if (!secret_.empty()) {
      post.headers.push_back("X-Warden-Signature: sha256=" +
                             net::HmacSha256Hex(secret_.Reveal(), post.body));
    }
    return Post(post, stop);
  }

 private:
  const WebhookConfig config_;
  const os::Secret secret_;
  const Origin origin_;
};

}  // namespace

Result<std::unique_ptr<Action>> NewWebhook(WebhookConfig config, const Settings& settings) {
  auto secret = FindSecret(config, settings);
  if (!secret.ok()) return secret.status();
  Origin origin;
  origin.region = settings.aws.region;
  return std::unique_ptr<Action>(
      std::make_unique<Webhook>(std::move(config), std::move(secret).value(), std::move(origin)));
}

}  // namespace warden::actions
