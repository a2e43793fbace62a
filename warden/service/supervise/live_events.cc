#include "warden/service/supervise/live_events.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "warden/actions/digest.h"
#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/service/supervise/events/live_clients.h"

namespace warden::service {
namespace {

Response Refuse(int status, std::string_view code, std::string_view message) {
  Response response;
  response.status = status;
  response.headers = {{"Content-Type", "application/json"}};
  response.body = DumpLikePython(Json{{"__type", code}, {"message", message}}) + "\n";
  return response;
}

// Where the client wants to begin; nothing: with what happens next. Not a number: kInvalid.
Result<std::optional<int64_t>> BeginOf(const RequestHead& head) {
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

class LiveEvents : public Handler {
 public:
  LiveEvents(JobStore* store, const Authenticator* authenticator)
      : authenticator_(authenticator), clients_(std::make_shared<LiveClients>(store)) {}

  std::unique_ptr<Exchange> Begin(const RequestHead& head) override {
    return AnswerAtOnce(Answer(head));
  }

 private:
  Response Answer(const RequestHead& head) {
    const Verdict verdict = authenticator_->Check(head, actions::Hex(actions::Sha256("")));
    if (const auto* refusal = std::get_if<Refusal>(&verdict)) {
      return Refuse(403, refusal->code, refusal->message);
    }
    if (!std::get<Identity>(verdict).May(Scope::kRead)) {
      return Refuse(403, "AccessDeniedException", "this key has no read permission");
    }
    if (head.method != "GET")
      return Refuse(405, "MethodNotAllowed", "method not allowed; expected GET");
    const auto begin = BeginOf(head);
    if (!begin.ok()) return Refuse(400, "ValidationException", begin.status().message());
    Response response;
    response.headers = {{"Content-Type", "text/event-stream"},
                        {"Cache-Control", "no-store"},
                        {"X-Accel-Buffering", "no"}};
    response.live = [clients = std::weak_ptr(clients_),
                     begin = begin.value()](std::shared_ptr<LivePipe> pipe) {
      if (const auto there = clients.lock()) there->Add(std::move(pipe), begin);
    };
    return response;
  }

  const Authenticator* const authenticator_;
  const std::shared_ptr<LiveClients> clients_;
};

}  // namespace

std::unique_ptr<Handler> MakeLiveEvents(JobStore* store, const Authenticator* authenticator) {
  return std::make_unique<LiveEvents>(store, authenticator);
}

}  // namespace warden::service
