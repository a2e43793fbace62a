#ifndef WARDEN_ACTIONS_SETTINGS_H_
#define WARDEN_ACTIONS_SETTINGS_H_

// Where and how actions deliver, as the owner of the machine has set it; what to do is up to
// ActionConfig. Loaded once at the start by the service (supervisor, event delivery) and by the
// command line, then copied into the actions. Plain values, without threads.

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/secret.h"

namespace warden::actions {

// The mail server. CheckSmtp (smtp.h) says whether it suffices.
struct SmtpSettings {
  // What to do about a server that is spoken to in plain text at first (smtp://).
  enum class StartTls { kRequired, kOptional, kOff };

  std::string url;  // "smtp://host:port" or "smtps://host:port"; empty: no mail can be sent.
  // kOptional uses encryption if the server offers it, kOff never. With neither is a password sent
  // to another machine by smtp://.
  StartTls starttls = StartTls::kRequired;
  std::string user;
  os::Secret password;
  // The sender, one plain address; empty: no mail can be sent.
  std::string from;
};

// Of Amazon Web Services or of a service that understands its requests. CheckAws (aws_query.h) says
// whether it suffices.
struct AwsSettings {
  std::string region = "us-east-1";
  // Keys and token as Amazon issues them; the token is needed for temporary keys only.
  std::string access_key;
  os::Secret secret_key;
  os::Secret session_token;
  // Nothing is sent to Amazon unless its address is given here, "https://sns.REGION.amazonaws.com".
  std::string sns_endpoint;
  std::string cloudwatch_endpoint;
  std::string cloudwatch_namespace = "Tensorwarden";
};

// All of them. The defaults deliver nothing to another machine.
//
//   auto settings = LoadSettings(options.actions_file);
//   if (!settings.ok()) return settings.status();
//   ActionMaker maker(std::move(settings.value()), &jobs);
struct Settings {
  SmtpSettings smtp;
  AwsSettings aws;
  // Signs webhooks whose configuration names no secret. Empty: they are not signed.
  os::Secret webhook_secret;
  // Address and port of MetricsServer.
  std::string prometheus_listen = "127.0.0.1:9464";
  // Between asking a training job to stop and killing it; 0 to 24 h. For the JobControl of the
  // command line; jobs of the service have their own.
  std::chrono::milliseconds grace{30'000};
};

// The value of an environment variable, null if it is not set: std::getenv, or what a test
// provides.
using Environment = std::function<const char*(const char*)>;

// From the JSON file, if path or else $WARDEN_ACTIONS_FILE names one, and from the environment,
// which wins; an empty variable counts as not set. README.md has both names of each.
//
// kNotFound or kIo if the file cannot be read; kInvalid or kInvalidType names the setting and what
// is accepted. A file that holds a secret and that others may read is refused (kInvalid). No
// message repeats a secret.
Result<Settings> LoadSettings(const std::string& path, const Environment& environment);
Result<Settings> LoadSettings(const std::string& path = {});

// Whether an environment variable has a secret of these settings, or decides whose keys a client of
// Amazon's uses: one of those above, or any that begins with "AWS_". Commands that the service runs
// do not get it.
bool IsSecretVariable(std::string_view name);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_SETTINGS_H_
