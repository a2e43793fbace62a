#include "warden/actions/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "warden/actions/address.h"
#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/net/url.h"

namespace warden::actions {
namespace {

constexpr std::string_view kMail[] = {"smtp", "smtps"};
constexpr std::string_view kWeb[] = {"http", "https"};
constexpr double kMaxGrace = 24 * 3600;

Status SetUrl(const std::string& value, std::span<const std::string_view> schemes,
              std::string* out) {
  const auto url = net::ParseUrl(value, schemes);
  if (!url.ok()) return url.status();
  // It would be shown with the URL by programs that list processes or connections.
  if (url.value().has_user) {
    return Status(Code::kInvalid, "the URL must not contain a user; set the user separately");
  }
  *out = value;
  return Status();
}

Status SetStartTls(Settings* settings, const std::string& value) {
  using StartTls = SmtpSettings::StartTls;
  const std::string word = LowerAscii(value);
  if (word == "required") {
    settings->smtp.starttls = StartTls::kRequired;
  } else if (word == "optional") {
    settings->smtp.starttls = StartTls::kOptional;
  } else if (word == "off") {
    settings->smtp.starttls = StartTls::kOff;
  } else {
    return Status(
        Code::kInvalid,
        fmt::format("unknown value '{}'; expected one of: required, optional, off", value));
  }
  return Status();
}

Status SetFrom(Settings* settings, const std::string& value) {
  if (!IsEmailAddress(value)) {
    return Status(Code::kInvalid,
                  fmt::format("\"{}\" is not an email address; expected name@example.com", value));
  }
  settings->smtp.from = value;
  return Status();
}

Status SetGrace(Settings* settings, const std::string& value) {
  const auto seconds = ParseDouble(value);
  if (!seconds || !(*seconds >= 0 && *seconds <= kMaxGrace)) {
    return Status(Code::kInvalid,
                  fmt::format("expected seconds from 0 to {}, got '{}'", kMaxGrace, value));
  }
  settings->grace = std::chrono::milliseconds(static_cast<int64_t>(*seconds * 1000));
  return Status();
}

template <auto part, auto member>
Status Keep(Settings* settings, const std::string& value) {
  using Value = std::remove_reference_t<decltype(settings->*part.*member)>;
  settings->*part.*member = Value(value);
  return Status();
}

// One setting under its two names. A later row of the same setting wins.
struct Row {
  std::string_view section;
  std::string_view key;
  const char* variable;
  bool secret;
  Status (*set)(Settings*, const std::string&);
};

constexpr auto kSmtp = &Settings::smtp;
constexpr auto kAws = &Settings::aws;

constexpr Row kRows[] = {
    {"smtp", "url", "WARDEN_SMTP_URL", false,
     [](Settings* s, const std::string& value) { return SetUrl(value, kMail, &s->smtp.url); }},
    {"smtp", "starttls", "WARDEN_SMTP_STARTTLS", false, &SetStartTls},
    {"smtp", "user", "WARDEN_SMTP_USER", false, &Keep<kSmtp, &SmtpSettings::user>},
    {"smtp", "password", "WARDEN_SMTP_PASSWORD", true, &Keep<kSmtp, &SmtpSettings::password>},
    {"smtp", "from", "WARDEN_SMTP_FROM", false, &SetFrom},
    {"aws", "region", "AWS_DEFAULT_REGION", false, &Keep<kAws, &AwsSettings::region>},
    {"aws", "region", "AWS_REGION", false, &Keep<kAws, &AwsSettings::region>},
    {"aws", "access_key", "AWS_ACCESS_KEY_ID", false, &Keep<kAws, &AwsSettings::access_key>},
    {"aws", "secret_key", "AWS_SECRET_ACCESS_KEY", true, &Keep<kAws, &AwsSettings::secret_key>},
    {"aws", "session_token", "AWS_SESSION_TOKEN", true, &Keep<kAws, &AwsSettings::session_token>},
    {"sns", "endpoint", "WARDEN_SNS_ENDPOINT", false,
     [](Settings* s, const std::string& value) {
       return SetUrl(value, kWeb, &s->aws.sns_endpoint);
     }},
    {"cloudwatch", "endpoint", "WARDEN_CLOUDWATCH_ENDPOINT", false,
     [](Settings* s, const std::string& value) {
       return SetUrl(value, kWeb, &s->aws.cloudwatch_endpoint);
     }},
    {"cloudwatch", "namespace", "WARDEN_CLOUDWATCH_NAMESPACE", false,
     &Keep<kAws, &AwsSettings::cloudwatch_namespace>},
    {"webhook", "secret", "WARDEN_WEBHOOK_SECRET", true,
     [](Settings* s, const std::string& value) {
       s->webhook_secret = os::Secret(value);
       return Status();
     }},
    {"prometheus", "listen", "WARDEN_PROMETHEUS_LISTEN", false,
     [](Settings* s, const std::string& value) {
       s->prometheus_listen = value;
       return Status();
     }},
    {"stop", "grace_seconds", "WARDEN_STOP_GRACE", false, &SetGrace},
};

Status Unknown(std::string_view name) {
  std::vector<std::string> known;
  for (const Row& row : kRows) known.push_back(fmt::format("{}.{}", row.section, row.key));
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return Status(Code::kInvalid, fmt::format("unknown setting '{}'; expected one of: {}", name,
                                            fmt::join(known, ", ")));
}

// A number is as good as its text.
std::string TextOf(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() ? value.dump() : "";
}

Status SetFromMember(std::string_view section, std::string_view key, const Json& value,
                     Settings* settings, bool* has_secret) {
  const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& candidate) {
    return candidate.section == section && candidate.key == key;
  });
  const std::string name = fmt::format("{}.{}", section, key);
  if (row == std::end(kRows)) return Unknown(name);
  *has_secret |= row->secret;
  const std::string text = TextOf(value);
  if (text.empty()) return Status(Code::kInvalidType, name + " is not a string");
  return row->set(settings, text).WithContext(name);
}

Status SetFromJson(const Json& json, Settings* settings, bool* has_secret) {
  if (!json.is_object()) return Status(Code::kInvalidType, "is not a JSON object");
  for (auto section = json.begin(); section != json.end(); ++section) {
    if (!section->is_object()) return Unknown(section.key());
    for (auto member = section->begin(); member != section->end(); ++member) {
      Status status = SetFromMember(section.key(), member.key(), *member, settings, has_secret);
      if (!status.ok()) return status;
    }
  }
  return Status();
}

Status SetFromFile(const std::string& path, Settings* settings) {
  const auto file = os::ReadPrivateText(path);
  if (!file.ok()) return file.status();
  const auto json = ParseJson(file.value().text);
  if (!json.ok()) {
    // The parser's own words repeat a piece of the text, which may be a secret.
    const std::string message = json.status().message();
    return Status(Code::kInvalid,
                  fmt::format("{}: {}", path, message.substr(0, message.find(':'))));
  }
  bool has_secret = false;
  const Status status = SetFromJson(json.value(), settings, &has_secret);
  if (has_secret && !file.value().is_private) return os::NotPrivate(path);
  return status.WithContext(path);
}

}  // namespace

Result<Settings> LoadSettings(const std::string& path, const Environment& environment) {
  Settings settings;
  const char* named = environment("WARDEN_ACTIONS_FILE");
  const std::string file = !path.empty() || named == nullptr ? path : named;
  if (!file.empty()) {
    if (Status status = SetFromFile(file, &settings); !status.ok()) {
      return status.WithContext("action settings");
    }
  }
  for (const Row& row : kRows) {
    const char* value = environment(row.variable);
    if (value == nullptr || *value == '\0') continue;
    if (Status status = row.set(&settings, value); !status.ok()) {
      return status.WithContext(row.variable);
    }
  }
  return settings;
}

bool IsSecretVariable(std::string_view name) {
  return name.starts_with("AWS_") ||
         std::any_of(std::begin(kRows), std::end(kRows),
                     [&](auto& row) { return row.secret && name == row.variable; });
}

Result<Settings> LoadSettings(const std::string& path) {
  return LoadSettings(path, [](const char* name) { return std::getenv(name); });
}

}  // namespace warden::actions
