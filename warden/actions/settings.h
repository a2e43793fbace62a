#ifndef WARDEN_ACTIONS_SETTINGS_H_
#define WARDEN_ACTIONS_SETTINGS_H_

#include <chrono>
#include <functional>
#include <string>

#include "warden/base/status.h"
#include "warden/os/secret.h"

namespace warden::actions {

struct SmtpSettings {
  // What to do about a server that is spoken to in plain text at first (smtp://).
  enum class StartTls { kRequired, kOptional, kOff };

  std::string url;  // "smtp://host:port" or "smtps://host:port"; empty: no mail can be sent.
  StartTls starttls = StartTls::kRequired;
  std::string user;
  os::Secret password;
  std::string from;
};

// Of Amazon Web Services or of a service that understands its requests.
struct AwsSettings {
  std::string region = "us-east-1";
  std::string access_key;
  os::Secret secret_key;
  os::Secret session_token;
  // Nothing is sent to Amazon unless its address is given here, "https://sns.REGION.amazonaws.com".
  std::string sns_endpoint;
  std::string cloudwatch_endpoint;
  std::string cloudwatch_namespace = "Tensorwarden";
};

// Where and how actions deliver, as the machine's owner has set it; what to do is ActionConfig's.
struct Settings {
  SmtpSettings smtp;
  AwsSettings aws;
  os::Secret webhook_secret;
  std::string prometheus_listen = "127.0.0.1:9464";
  // Between asking a training job to stop and killing it.
  std::chrono::milliseconds grace{30'000};
};

// The value of an environment variable, null if it is not set: std::getenv.
using Environment = std::function<const char*(const char*)>;

// From the JSON file, if path or else $WARDEN_ACTIONS_FILE names one, and from the environment,
// which wins; README.md has both names of each. kInvalid names the setting and
// what is accepted; a file that holds a secret and that others may read is refused. No message
// repeats a secret.
Result<Settings> LoadSettings(const std::string& path, const Environment& environment);
Result<Settings> LoadSettings(const std::string& path = {});

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_SETTINGS_H_
