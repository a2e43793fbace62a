#include "warden/jobs/exec/exec_handler.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>
#include <variant>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/base/text/uri.h"
#include "warden/jobs/exec/host_place.h"
#include "warden/jobs/exec/session_log.h"
#include "warden/jobs/exec/shell_session.h"
#include "warden/net/digest.h"

namespace warden::jobs {
namespace {

constexpr size_t kMostSessions = 32;
constexpr size_t kMostFields = 256;

// The first value of that name; empty if there is none.
std::string_view FieldOf(const QueryPairs& fields, std::string_view name) {
  for (const auto& [field, value] : fields) {
    if (field == name) return value;
  }
  return {};
}

// What a program can be given: no zero bytes, not too much of it.
bool IsAccepted(const QueryPairs& fields) {
  return fields.size() <= kMostFields &&
         std::all_of(fields.begin(), fields.end(), [](const auto& field) {
           return field.second.find('\0') == std::string::npos;
         });
}

http::Response Refuse(int status, std::string_view code, std::string_view message) {
  http::Response response;
  response.status = status;
  response.headers = {{"Content-Type", "application/json"}};
  response.body = DumpLikePython({{"__type", code}, {"message", message}});
  return response;
}

bool RemoteDebugIsOn(const TrainingJob& job) {
  const auto config = job.request.find("RemoteDebugConfig");
  if (config == job.request.end() || !config->is_object()) return false;
  const auto enabled = config->find("EnableRemoteDebug");
  return enabled != config->end() && enabled->is_boolean() && enabled->get<bool>();
}

// Whether somebody may be in the job now. The message is for them.
Status MayEnter(const TrainingJob& job) {
  if (!RemoteDebugIsOn(job)) {
    return Status(Code::kInvalid, fmt::format("remote debugging of {} is off; turn it on with "
                                              "'warden jobs update {} --remote-debug on'",
                                              job.name, job.name));
  }
  if (job.status != JobStatus::kInProgress || job.secondary != SecondaryStatus::kTraining) {
    return Status(Code::kInvalid, fmt::format("{} is not training; its status is {}", job.name,
                                              NameOf(job.secondary)));
  }
  return Status();
}

// A terminal's name, as the client's terminal is known.
bool IsTerminalName(std::string_view text) {
  return !text.empty() && text.size() <= 64 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '+';
         });
}

TerminalSize SizeOf(const QueryPairs& fields) {
  TerminalSize size;
  const auto columns = ParseInt(FieldOf(fields, "columns"));
  const auto rows = ParseInt(FieldOf(fields, "rows"));
  if (columns && *columns > 0 && *columns <= 1000) size.columns = static_cast<int>(*columns);
  if (rows && *rows > 0 && *rows <= 1000) size.rows = static_cast<int>(*rows);
  return size;
}

// The command to run; empty: a shell.
std::vector<std::string> CommandIn(const QueryPairs& fields) {
  std::vector<std::string> words;
  for (const auto& [name, value] : fields) {
    if (name == "word") words.push_back(value);
  }
  return words;
}

ShellLaunch LaunchIn(const HostPlace& place, const QueryPairs& fields) {
  ShellLaunch launch{place.entering, place.environment, place.directory, SizeOf(fields)};
  std::vector<std::string> command = CommandIn(fields);
  if (command.empty()) command.push_back(ShellOf(place));
  launch.words.insert(launch.words.end(), command.begin(), command.end());
  launch.box = place.box;
  std::erase_if(launch.environment,
                [](const std::string& variable) { return variable.starts_with("TERM="); });
  const std::string_view terminal = FieldOf(fields, "term");
  launch.environment.push_back(
      fmt::format("TERM={}", IsTerminalName(terminal) ? terminal : "dumb"));
  return launch;
}

// Who is in which host of which job.
struct Visit {
  std::string job;
  std::string host;
  std::string who;
  std::string peer;
  std::string id;
  std::vector<std::string> words;  // The command; empty: a shell.
};

class ExecHandler final : public http::Handler {
 public:
  ExecHandler(const service::ServiceOptions* options, const auth::Authenticator* authenticator,
              JobStore* store)
      : layout_(options->data), authenticator_(authenticator), store_(store) {}

  ~ExecHandler() override {
    for (const auto& session : sessions_) session->End("the service is shutting down");
  }

  std::unique_ptr<http::Exchange> Begin(const http::RequestHead& head) override {
    return http::AnswerAtOnce(Answer(head));
  }

 private:
  http::Response Answer(const http::RequestHead& head) {
    const auth::Verdict verdict = authenticator_->Check(head, net::Hex(net::Sha256("")));
    if (const auto* refusal = std::get_if<auth::Refusal>(&verdict)) {
      return Refuse(403, refusal->code, refusal->message);
    }
    const auto& identity = std::get<auth::Identity>(verdict);
    if (!identity.May(auth::Scope::kExec)) {
      return Refuse(403, "AccessDeniedException", identity.WhyNot(auth::Scope::kExec));
    }
    if (head.method != "GET" || LowerAscii(head.Header("Upgrade")) != "websocket") {
      http::Response response = Refuse(426, "UpgradeRequired", "expected a WebSocket request");
      response.headers.emplace_back("Upgrade", "websocket");
      return response;
    }
    const QueryPairs fields = ParseQuery(head.query);
    if (!IsAccepted(fields)) {
      return Refuse(400, "ValidationException", "cannot parse the query");
    }
    http::Response response = Enter(fields, identity, head);
    authenticator_->Record(identity, {"exec", std::string(FieldOf(fields, "job")),
                                      response.socket ? "begun" : "refused"});
    return response;
  }

  http::Response Enter(const QueryPairs& fields, const auth::Identity& identity,
                       const http::RequestHead& head) {
    const std::string name(FieldOf(fields, "job"));
    const auto job = identity.limits.AllowJob(name) ? store_->Get(name)
                                                    : Status(Code::kNotFound, "not of this key");
    if (!job.ok() && job.status().code() == Code::kNotFound) {
      return Refuse(404, "ResourceNotFound", fmt::format("no such job: {}", name));
    }
    if (!job.ok()) return Refuse(500, "InternalFailure", job.status().message());
    if (const Status status = MayEnter(job.value()); !status.ok()) {
      return Refuse(409, "ValidationException", status.message());
    }
    const std::vector<std::string> hosts = job.value().Hosts();
    std::string host(FieldOf(fields, "host"));
    if (host.empty() && !hosts.empty()) host = hosts.front();
    if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) {
      return Refuse(404, "ResourceNotFound",
                    fmt::format("no such host: {}; {} has {}", host, job.value().name,
                                fmt::join(hosts, ", ")));
    }
    const auto place = ReadHostPlace(layout_.Host(job.value().name, host));
    if (!place.ok()) return Refuse(409, "ValidationException", place.status().message());
    return Upgrade(
        PlanOf({job.value().name, host, identity.access_key, head.peer, head.id, CommandIn(fields)},
               LaunchIn(place.value(), fields)));
  }

  SessionPlan PlanOf(const Visit& visit, ShellLaunch launch) {
    SessionPlan plan;
    plan.launch = std::move(launch);
    plan.allowed = [this, name = visit.job] {
      const auto job = store_->Get(name);
      return job.ok() ? MayEnter(job.value()) : job.status();
    };
    const std::string command =
        visit.words.empty() ? "" : fmt::format(" to run: {}", fmt::join(visit.words, " "));
    plan.record = [folder = service::DataLayout::Log(layout_.Host(visit.job, visit.host)), visit,
                   command](const std::string& what) {
      const Time now = Now();
      const std::string line = fmt::format(
          "[remote-debug] {:%Y-%m-%dT%H:%M:%SZ} key {} session {}: {}{}",
          fmt::gmtime(std::chrono::system_clock::to_time_t(now)), visit.who, visit.id.substr(0, 8),
          what, what == "opened" ? fmt::format(" from {}{}", visit.peer, command) : "");
      if (const Status status = AddToLog(folder, line, now); !status.ok()) {
        LogError("cannot record remote debugging of {}: {}", visit.job, status.message());
      }
    };
    return plan;
  }

  http::Response Upgrade(SessionPlan plan) {
    std::shared_ptr<Session> session;
    {
      const std::lock_guard lock(mutex_);
      // Also those whose connection never came to be: nobody but us holds them any more.
      sessions_.remove_if([](const std::shared_ptr<Session>& other) {
        return other->state() == Session::State::kOver ||
               (other->state() == Session::State::kNew && other.use_count() == 1);
      });
      if (sessions_.size() >= kMostSessions) {
        return Refuse(503, "ServiceUnavailable", "too many open shells");
      }
      session = sessions_.emplace_back(std::make_shared<Session>(std::move(plan)));
    }
    http::Response response;
    response.socket = http::SocketEvents{
        [session](std::shared_ptr<http::Socket> socket) { session->Open(std::move(socket)); },
        [session](std::string_view message) { session->Receive(message); },
        [session] { session->ConnectionClosed(); }};
    return response;
  }

  const service::DataLayout layout_;
  const auth::Authenticator* authenticator_;
  JobStore* store_;
  std::mutex mutex_;
  std::list<std::shared_ptr<Session>> sessions_;
};

}  // namespace

std::unique_ptr<http::Handler> MakeExec(const service::ServiceOptions* options,
                                        const auth::Authenticator* authenticator, JobStore* store) {
  return std::make_unique<ExecHandler>(options, authenticator, store);
}

}  // namespace warden::jobs
