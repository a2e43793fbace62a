#include "warden/jobs/events/senders.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "warden/actions/http_post.h"
#include "warden/actions/settings.h"
#include "warden/jobs/events/event_members.h"
#include "warden/net/digest.h"
#include "warden/os/posix.h"
#include "warden/os/run_command.h"

namespace warden::jobs {
namespace {

using actions::Attempt;

class WebhookSender : public EventSender {
 public:
  WebhookSender(std::string url, os::Secret secret)
      : url_(std::move(url)), secret_(std::move(secret)) {}

  Attempt Send(const StoredEvent& event, const Json& json, const std::stop_token& stop) override {
    actions::HttpPost post;
    post.url = url_;
    post.body = event.body;
    post.headers = {"Content-Type: application/json", "User-Agent: tensorwarden",
                    "Idempotency-Key: " + TextIn(json, "id")};
    if (!secret_.empty()) {
      post.headers.push_back("X-Warden-Signature: sha256=" +
                             net::HmacSha256Hex(secret_.Reveal(), post.body));
    }
    return actions::Post(post, stop);
  }

 private:
  const std::string url_;
  const os::Secret secret_;
};

// Keys of the service are for its own messages. In a command they would also take precedence over
// the file of keys that the command is given for this service.
std::vector<std::string> EnvironmentOfCommands() {
  std::vector<std::string> environment;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view variable = *at;
    if (actions::IsSecretVariable(variable.substr(0, variable.find('=')))) continue;
    environment.emplace_back(variable);
  }
  return environment;
}

class CommandSender : public EventSender {
 public:
  CommandSender(std::vector<std::string> words,
                std::vector<std::pair<std::string, std::string>> variables)
      : words_(std::move(words)), variables_(std::move(variables)) {}

  void ServiceIsAt(const std::string& address) override {
    variables_.emplace_back("AWS_ENDPOINT_URL", address);
  }

  Attempt Send(const StoredEvent& event, const Json& json, const std::stop_token& stop) override {
    os::CommandLine command;
    command.words = words_;
    command.environment = EnvironmentOfCommands();
    command.variables = variables_;
    command.variables.emplace_back("WARDEN_EVENT_ID", TextIn(json, "id"));
    command.variables.emplace_back("WARDEN_EVENT_NUMBER", std::to_string(event.number));
    command.variables.emplace_back("WARDEN_EVENT_TYPE", TextIn(json, "detail-type"));
    command.variables.emplace_back("WARDEN_JOB", JobOf(json));
    return os::RunCommand(command, event.body + "\n", stop);
  }

 private:
  const std::vector<std::string> words_;
  std::vector<std::pair<std::string, std::string>> variables_;
};

class FileSender : public EventSender {
 public:
  explicit FileSender(std::string path) : path_(std::move(path)) {}

  Attempt Send(const StoredEvent& event, const Json&, const std::stop_token&) override {
    const os::UniqueFd file(
        open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600));
    if (!file.ok()) return Failure("open");
    const std::string line = event.body + "\n";
    const ssize_t written = write(file.get(), line.data(), line.size());
    if (written < 0) return Failure("write to");
    if (static_cast<size_t>(written) != line.size()) {
      // Whoever reads it sees a broken line; the whole one follows.
      (void)!write(file.get(), "\n", 1);
      return Status(Code::kUnavailable, path_ + ": the disk is full");
    }
    return Status();
  }

 private:
  Status Failure(const char* what) const {
    return Status(Code::kUnavailable, os::IoError(what, path_, errno).message());
  }

  const std::string path_;
};

}  // namespace

std::unique_ptr<EventSender> NewWebhookSender(std::string url, os::Secret secret) {
  return std::make_unique<WebhookSender>(std::move(url), std::move(secret));
}

std::unique_ptr<EventSender> NewCommandSender(
    std::vector<std::string> words, std::vector<std::pair<std::string, std::string>> variables) {
  return std::make_unique<CommandSender>(std::move(words), std::move(variables));
}

std::unique_ptr<EventSender> NewFileSender(std::string path) {
  return std::make_unique<FileSender>(std::move(path));
}

}  // namespace warden::jobs
