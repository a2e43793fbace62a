#include "warden/jobs/supervise/live_events.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/jobs/events/live_clients.h"
#include "warden/net/digest.h"

namespace warden::jobs {
namespace {

http::Response Refuse(int status, std::string_view code, std::string_view message) {
  http::Response response;
  response.status = status;
  response.headers = {{"Content-Type", "application/json"}};
  response.body = DumpLikePython(Json{{"__type", code}, {"message", message}}) + "\n";
  return response;
}

// Where the client wants to begin; nothing: with what happens next. Not a number: kInvalid.
Result<std::optional<int64_t>> BeginOf(const http::RequestHead& head) {
  std::string text(Trim(head.Header("Last-Event-ID")));
  if (text.empty()) {
    for (const std::string& pair : SplitTrimmed(head.query, '&')) {
      constexpr std::string_view kAfter = "after=";
      if (pair.starts_with(kAfter)) text = pair.substr(kAfter.size());
    }
  }
  if (text.empty()) return std::optional<int64_t>();
  const auto number = ParseInt(text);
  if (!number || *number < 0) {
    return Status(Code::kInvalid,
                  "invalid after or Last-Event-ID; expected the number of an event");
  }
  return number;
}

class LiveEvents : public http::Handler {
 public:
  LiveEvents(JobStore* store, const auth::Authenticator* authenticator)
      : authenticator_(authenticator), clients_(std::make_shared<LiveClients>(store)) {}

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
    if (!identity.May(auth::Scope::kRead)) {
      return Refuse(403, "AccessDeniedException", "this key has no read permission");
    }
    if (identity.limits.Any()) {
      return Refuse(403, "AccessDeniedException",
                    "this key is limited to some jobs; events of all jobs need the token or a key "
                    "without warden_jobs");
    }
    if (head.method != "GET")
      return Refuse(405, "MethodNotAllowed", "method not allowed; expected GET");
    const auto begin = BeginOf(head);
    if (!begin.ok()) return Refuse(400, "ValidationException", begin.status().message());
    http::Response response;
    response.headers = {{"Content-Type", "text/event-stream"},
                        {"Cache-Control", "no-store"},
                        {"X-Accel-Buffering", "no"}};
    response.live = [clients = std::weak_ptr(clients_),
                     begin = begin.value()](std::shared_ptr<http::LivePipe> pipe) {
      if (const auto there = clients.lock()) there->Add(std::move(pipe), begin);
    };
    return response;
  }

  const auth::Authenticator* const authenticator_;
  const std::shared_ptr<LiveClients> clients_;
};

}  // namespace

std::unique_ptr<http::Handler> MakeLiveEvents(JobStore* store,
                                              const auth::Authenticator* authenticator) {
  return std::make_unique<LiveEvents>(store, authenticator);
}

}  // namespace warden::jobs
