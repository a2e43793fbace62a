#include "warden/jobs/events/receiver_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "warden/actions/address.h"
#include "warden/actions/smtp.h"
#include "warden/config/json_fields.h"
#include "warden/jobs/events/event_pattern.h"
#include "warden/jobs/events/mail_sender.h"
#include "warden/jobs/events/mail_text.h"
#include "warden/jobs/events/senders.h"
#include "warden/net/url.h"
#include "warden/os/secret.h"

namespace warden::jobs {
namespace {

using VariableList = std::vector<std::pair<std::string, std::string>>;

Status Invalid(std::string message) { return Status(Code::kInvalid, std::move(message)); }

VariableList ClientVariables(const service::ServiceOptions& options) {
  return {{"AWS_SHARED_CREDENTIALS_FILE", options.credentials.empty()
                                              ? service::DataLayout(options.data).Credentials()
                                              : options.credentials},
          {"AWS_DEFAULT_REGION", options.region},
          {"AWS_REGION", options.region}};
}

Result<std::string> TextOf(const Json& json, const char* name) {
  const Json* member = config::Member(json, name);
  if (member == nullptr) return std::string();
  if (!member->is_string() || member->get_ref<const std::string&>().empty()) {
    return Invalid(fmt::format("{}: expected a string", name));
  }
  return member->get<std::string>();
}

Result<std::unique_ptr<EventSender>> ReadWebhook(const Json& json, const std::string& url) {
  constexpr std::array<std::string_view, 2> kSchemes = {"http", "https"};
  if (const auto parsed = net::ParseUrl(url, kSchemes); !parsed.ok()) {
    return parsed.status().WithContext("webhook");
  }
  const auto file = TextOf(json, "secret_file");
  if (!file.ok()) return file.status();
  if (file.value().empty()) return NewWebhookSender(url, os::Secret());
  auto secret = os::ReadSecretFile(file.value());
  if (!secret.ok()) return secret.status().WithContext("secret_file");
  return NewWebhookSender(url, std::move(secret).value());
}

Result<std::unique_ptr<EventSender>> ReadCommand(const Json& words, const VariableList& variables) {
  std::vector<std::string> command;
  for (const Json& word : words) {
    if (!word.is_string()) return Invalid("command: expected a list of strings");
    command.push_back(word.get<std::string>());
  }
  if (!words.is_array() || command.empty() || command.front().empty()) {
    return Invalid("command: expected a list such as [\"program\", \"argument\"]");
  }
  return NewCommandSender(std::move(command), variables);
}

Result<std::unique_ptr<EventSender>> ReadFile(const std::string& path) {
  if (!std::filesystem::path(path).is_absolute()) {
    return Invalid(fmt::format("file is '{}'; expected an absolute path", path));
  }
  return NewFileSender(path);
}

// One text, or a list of them.
Result<std::vector<std::string>> ReadAddresses(const Json& mail) {
  constexpr size_t kMost = 50;
  const Json list = mail.is_array() ? mail : Json::array({mail});
  if (list.empty() || list.size() > kMost) {
    return Invalid(fmt::format("mail: expected an address or a list of 1 to {} addresses", kMost));
  }
  std::vector<std::string> addresses;
  for (const Json& each : list) {
    if (!each.is_string() || !actions::IsEmailAddress(each.get_ref<const std::string&>())) {
      return Invalid(fmt::format("mail: invalid address {}; expected one such as name@example.com",
                                 config::Shown(each)));
    }
    addresses.push_back(each.get<std::string>());
  }
  return addresses;
}

Status CheckMembers(const Json& json) {
  if (!json.is_object()) return Invalid("expected an object");
  for (const auto& [key, value] : json.items()) {
    constexpr std::string_view kKnown[] = {"name", "webhook", "secret_file", "command",
                                           "file", "mail",    "pattern"};
    if (std::find(std::begin(kKnown), std::end(kKnown), key) != std::end(kKnown)) continue;
    return Invalid(
        fmt::format("unknown member '{}'; expected one of: {}", key, fmt::join(kKnown, ", ")));
  }
  constexpr const char* kWays[] = {"webhook", "command", "file", "mail"};
  const auto given = std::count_if(std::begin(kWays), std::end(kWays), [&](const char* way) {
    return config::Member(json, way) != nullptr;
  });
  if (given != 1) return Invalid("expected exactly one of: webhook, command, file, mail");
  if (config::Member(json, "secret_file") && !config::Member(json, "webhook")) {
    return Invalid("secret_file is allowed only for a webhook");
  }
  return Status();
}

}  // namespace

ReceiverReader::ReceiverReader(const service::ServiceOptions& options,
                               const actions::SmtpSettings& smtp, JobStore* store)
    : options_(options), variables_(ClientVariables(options)), smtp_(smtp), store_(store) {}

Result<std::vector<Receiver>> ReceiverReader::Read(const Json& json) const {
  if (Status status = CheckMembers(json); !status.ok()) return status;
  auto name = TextOf(json, "name");
  if (!name.ok()) return name.status();
  if (name.value().empty()) return Invalid("name is missing");
  Receiver receiver;
  receiver.name = std::move(name.value());
  if (const Json* given = config::Member(json, "pattern")) {
    const auto pattern = EventPattern::Parse(*given);
    if (!pattern.ok()) return pattern.status();
    receiver.wants = [pattern = pattern.value()](const Json& event) {
      return pattern.Matches(event);
    };
  }
  if (const Json* mail = config::Member(json, "mail")) return OfMail(*mail, receiver);
  auto sender = ReadSender(json);
  if (!sender.ok()) return sender.status();
  receiver.sender = std::move(sender).value();
  std::vector<Receiver> receivers;
  receivers.push_back(std::move(receiver));
  return receivers;
}

Result<std::unique_ptr<EventSender>> ReceiverReader::ReadSender(const Json& json) const {
  if (const Json* command = config::Member(json, "command")) {
    return ReadCommand(*command, variables_);
  }
  const auto url = TextOf(json, "webhook");
  if (!url.ok()) return url.status();
  if (!url.value().empty()) return ReadWebhook(json, url.value());
  const auto file = TextOf(json, "file");
  if (!file.ok()) return file.status();
  return ReadFile(file.value());
}

Result<std::vector<Receiver>> ReceiverReader::OfMail(const Json& mail, const Receiver& like) const {
  const auto addresses = ReadAddresses(mail);
  if (!addresses.ok()) return addresses.status();
  if (Status status = actions::CheckSmtp(smtp_); !status.ok()) return status.WithContext("mail");
  std::vector<Receiver> receivers;
  for (const std::string& address : addresses.value()) {
    receivers.push_back({fmt::format("{} <{}>", like.name, address),
                         like.wants ? like.wants : &IsForPeople,
                         NewMailSender(smtp_, address, options_.data, store_)});
  }
  return receivers;
}

}  // namespace warden::jobs
