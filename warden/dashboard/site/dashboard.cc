#include "warden/dashboard/site/dashboard.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/text/uri.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/dashboard/metrics/metrics_endpoints.h"
#include "warden/dashboard/profile/profile_endpoints.h"
#include "warden/dashboard/site/control.h"
#include "warden/dashboard/site/deleted_runs.h"
#include "warden/dashboard/site/export_run.h"
#include "warden/dashboard/site/known_host.h"
#include "warden/dashboard/site/live_hub.h"
#include "warden/dashboard/site/marking.h"
#include "warden/dashboard/site/page.h"
#include "warden/dashboard/site/remote_runs.h"
#include "warden/dashboard/site/run_json.h"
#include "warden/dashboard/site/run_list.h"
#include "warden/dashboard/site/run_logs.h"
#include "warden/dashboard/site/run_set.h"
#include "warden/dashboard/site/run_table.h"
#include "warden/dashboard/site/session.h"
#include "warden/dashboard/tensors/tensor_endpoints.h"
#include "warden/dashboard/timeline/timeline_endpoints.h"
#include "warden/rules/catalog/registry.h"
#include "warden/rules/catalog/spec_json.h"
#include "warden/trial/run_origin.h"

namespace warden::dashboard {
namespace {

constexpr std::string_view kApi = "/-/api/";
constexpr std::string_view kSession = "/-/api/session";
constexpr size_t kLongestBody = 64 << 10;
constexpr int64_t kMostFirst = 1000;  // Runs of the beginning of the list.

// The first part of a path and the rest behind its slash.
std::pair<std::string_view, std::string_view> Cut(std::string_view path) {
  const size_t slash = path.find('/');
  if (slash == std::string_view::npos) return {path, {}};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

bool IsSignIn(const http::RequestHead& head) {
  return head.path == kSession && head.method == "POST";
}

http::Response NoSuchAddress() { return ErrorAnswer(404, "not found"); }

http::Response WrongMethod(const char* accepted) {
  http::Response response =
      ErrorAnswer(405, fmt::format("method not allowed; expected {}", accepted));
  response.headers.emplace_back("Allow", accepted);
  return response;
}

http::Response NotUs(const http::RequestHead& head) {
  return ErrorAnswer(421, fmt::format("Host is '{}'; expected an address or name of this machine. "
                                      "Allow another name with 'warden serve --host-name'",
                                      head.Header("host")));
}

// Who he is, or the answer that he gets instead.
std::variant<auth::Identity, http::Response> Admit(const Sessions& sessions,
                                                   const http::RequestHead& head,
                                                   std::string_view body) {
  const auth::Verdict verdict = sessions.Check(head, body);
  if (const auto* refusal = std::get_if<auth::Refusal>(&verdict)) {
    return ErrorAnswer(401, refusal->message);
  }
  const auto& identity = std::get<auth::Identity>(verdict);
  if (identity.limits.Any()) {
    return ErrorAnswer(403,
                       "this key is limited to some jobs; the dashboard shows all and needs the "
                       "token or a key without warden_jobs");
  }
  const auth::Scope needed = head.method == "GET" ? auth::Scope::kRead : auth::Scope::kWrite;
  if (!identity.May(needed)) return ErrorAnswer(403, identity.WhyNot(needed));
  return identity;
}

// Where numbers and summaries of runs are kept; nowhere without a data folder.
std::string KeptIn(const service::ServiceOptions& options, const char* name) {
  return options.data.empty() ? "" : service::DataLayout(options.data).root + name;
}

class Dashboard : public http::Handler {
 public:
  Dashboard(const sagemaker::ApiParts& parts, Sessions sessions)
      : parts_(parts),
        sessions_(std::move(sessions)),
        remote_(*parts.options),
        runs_(parts.options, parts.store, &remote_),
        summaries_(KeptIn(*parts.options, "/summaries.jsonl"), WARDEN_VERSION),
        table_(&runs_, KeptIn(*parts.options, "/runs.jsonl"), WARDEN_VERSION),
        deleted_(parts, &runs_),
        shown_{TensorEndpoints(), MetricsEndpoints(), ProfileEndpoints(), TimelineEndpoints()},
        live_(std::make_shared<LiveHub>(parts.options, parts.store, &runs_, &summaries_, &shown_)) {
  }

  // A run of the set, as a page without a server.
  Result<ExportedRun> Export(const std::shared_ptr<OpenRun>& run, const ExportLimits& limits) {
    const auto ask = [&](const std::string& what, const std::string& query) {
      return Show(run, what, query);
    };
    return ExportRun(run->places().id, ask, limits);
  }
  Result<ExportedRun> Export(const std::string& id, const ExportLimits& limits) {
    const auto run = runs_.Open(id);
    if (!run.ok()) return run.status();
    return Export(run.value(), limits);
  }

  std::unique_ptr<http::Exchange> Begin(const http::RequestHead& head) override {
    if (!IsMeant(head)) return http::AnswerAtOnce(NotUs(head));
    if (auto file = PageFile(head)) return http::AnswerAtOnce(std::move(*file));
    if (!head.path.starts_with(kApi)) return http::AnswerAtOnce(NoSuchAddress());
    if (auto answer = AnswerByHead(head)) return http::AnswerAtOnce(std::move(*answer));
    return http::GatherBody(kLongestBody, ErrorAnswer(413, "the body is too large"),
                            [this, head](const std::string& body) { return Answer(head, body); });
  }

 private:
  // Whether a browser that sends this shows our name to its user. With TLS the certificate says so,
  // and whoever shows a key is not a page of another site.
  bool IsMeant(const http::RequestHead& head) const {
    return !parts_.options->tls_certificate.empty() || !head.Header("authorization").empty() ||
           IsKnownHost(head.Header("host"), parts_.options->host_names);
  }

  // Without the body: nobody who has no key may have us wait for one. Not for who signs in, whose
  // key is in the body.
  std::optional<http::Response> AnswerByHead(const http::RequestHead& head) const {
    if (IsSignIn(head)) return std::nullopt;
    if (head.path == kSession && head.method != "GET") return SignOut(head);
    const auto refusal = sessions_.CheckHead(head);
    if (!refusal) return std::nullopt;
    return ErrorAnswer(401, refusal->message);
  }

  http::Response Answer(const http::RequestHead& head, const std::string& body) {
    const std::string_view path = std::string_view(head.path).substr(kApi.size());
    if (IsSignIn(head)) return SignIn(head, body);
    if (path == "session/ticket" && head.method == "POST") return MakeTicket(head, body);
    const auto admitted = Admit(sessions_, head, body);
    if (const auto* refused = std::get_if<http::Response>(&admitted)) return *refused;
    const auto& identity = std::get<auth::Identity>(admitted);
    const auto [first, rest] = Cut(path);
    if (first == "runs" && !rest.empty()) return OfRun(head, rest, body, identity);
    if (first == "trash" && !rest.empty()) return OfDeleted(head, rest, identity);
    if (head.method != "GET") return WrongMethod("GET");
    if (path == "session") return SessionOf(identity);
    if (path == "runs") return Runs(head);
    if (path == "runs-table") return Table(head);
    if (path == "trash") return deleted_.List();
    if (path == "rules") return Catalogue();
    if (path == "compare") return Compare(head);
    if (path == "live") return Live(head);
    return NoSuchAddress();
  }

  http::Response Table(const http::RequestHead& head) {
    constexpr size_t kMostAsked = 32;
    const std::vector<std::string> best = Query(head.query).All("at");
    if (best.size() <= kMostAsked) return TaggedAnswer(head, table_.Answer(best));
    return ErrorAnswer(
        400, fmt::format("at is given {} times; expected at most {}", best.size(), kMostAsked));
  }

  http::Response SignOut(const http::RequestHead& head) const {
    if (head.method != "DELETE") return WrongMethod("GET, POST, DELETE");
    sessions_.LogOut(head);
    http::Response response;
    response.status = 204;
    return response;
  }

  http::Response SignIn(const http::RequestHead& head, const std::string& body) const {
    const auto json = ParseJson(body);
    const std::string token = json.ok() ? TextOf(MemberOf(json.value(), "token")) : "";
    const auto session = sessions_.LogIn(head, token);
    if (const auto* refusal = std::get_if<auth::Refusal>(&session)) {
      return ErrorAnswer(refusal->code == "ThrottlingException" ? 429 : 401, refusal->message);
    }
    return JsonAnswer({{"session", std::get<std::string>(session)}});
  }

  // For a link or a frame of the page, to which it cannot add its session.
  http::Response MakeTicket(const http::RequestHead& head, const std::string& body) {
    const auto json = ParseJson(body);
    const std::string path = json.ok() ? TextOf(MemberOf(json.value(), "path")) : "";
    const std::string ticket = sessions_.TicketFor(head, path);
    if (ticket.empty()) return ErrorAnswer(401, "this needs a session; sign in with the token");
    if (!path.starts_with(kApi)) {
      return ErrorAnswer(400, fmt::format("path is '{}'; expected one below {}", path, kApi));
    }
    return JsonAnswer({{"ticket", ticket}});
  }

  static http::Response SessionOf(const auth::Identity& identity) {
    Json scopes = Json::array();
    for (const auto& [scope, name] :
         {std::pair(auth::Scope::kRead, "read"), std::pair(auth::Scope::kWrite, "write"),
          std::pair(auth::Scope::kExec, "exec")}) {
      if (identity.May(scope)) scopes.push_back(name);
    }
    return JsonAnswer({{"user", identity.access_key},
                       {"scopes", std::move(scopes)},
                       {"read_only", identity.read_only},
                       {"version", WARDEN_VERSION}});
  }

  http::Response Runs(const http::RequestHead& head) {
    const auto first = Query(head.query).Int("first", 1, kMostFirst, 0);
    if (!first.ok()) return ErrorAnswer(first.status());
    return TaggedAnswer(
        head, first.value() > 0 ? FirstRuns(static_cast<size_t>(first.value())) : AllRuns());
  }

  std::string AllRuns() {
    RunList list(parts_.options, &summaries_);
    const auto problems = runs_.ForEach([&](const auto& run) { list.Add(run.get()); });
    return TextOfList(&list, problems, "");
  }

  // What a page shows until it has the whole list, which it asks for next: so this does not take
  // its time to read runs if there are others.
  std::string FirstRuns(size_t most) {
    const auto [listed, more] = runs_.ListNewest(
        most, [&](const std::vector<RunPlaces>& runs) { return summaries_.Began(runs); });
    RunList list(parts_.options, &summaries_,
                 more ? std::chrono::milliseconds(0) : RunList::kPatience);
    for (const auto& run : listed.runs) list.Add(run.get());
    return TextOfList(&list, listed.problems, fmt::format(R"(,"more":{})", more));
  }

  // rest: other members. The text of thousands of runs is not copied.
  std::string TextOfList(RunList* list, const std::vector<std::string>& problems,
                         std::string_view rest) const {
    std::string text = list->TakeText();
    text.insert(0, R"({"runs":[)");
    std::vector<std::string> folders = parts_.options->runs;
    const std::vector<std::string>& in_s3 = parts_.options->runs_in_s3;
    folders.insert(folders.end(), in_s3.begin(), in_s3.end());
    text += fmt::format(R"(],"folders":{},"problems":{},"pending":{}{}}})", JsonText(folders),
                        JsonText(problems), list->pending(), rest);
    return text;
  }

  static http::Response Catalogue() {
    Json list = Json::array();
    for (const rules::RuleEntry& entry : rules::BuiltinRules()) {
      list.push_back(rules::ToJson(*entry.spec));
    }
    return JsonAnswer(list);
  }

  RunRequest RequestFor(std::shared_ptr<OpenRun> run, const http::RequestHead& head) {
    return {std::move(run), Query(head.query), "",
            [this](const std::string& id) { return runs_.Open(id); }};
  }

  // Two runs are asked for as one that is compared with another.
  http::Response Compare(const http::RequestHead& head) {
    const auto id = Query(head.query).Needed("a");
    if (!id.ok()) return ErrorAnswer(id.status());
    const auto run = runs_.Open(id.value());
    if (!run.ok()) return ErrorAnswer(run.status());
    return Ask("compare", RequestFor(run.value(), head));
  }

  http::Response Live(const http::RequestHead& head) {
    const std::string id = Query(head.query).Text("run");
    if (!id.empty()) {
      if (const auto run = runs_.Open(id); !run.ok()) return ErrorAnswer(run.status());
    }
    http::Response response;
    response.headers = {{"Content-Type", "text/event-stream"},
                        {"Cache-Control", "no-store"},
                        {"X-Accel-Buffering", "no"}};
    response.live = [hub = std::weak_ptr(live_), id](std::shared_ptr<http::LivePipe> pipe) {
      if (const auto there = hub.lock()) there->Add(std::move(pipe), id);
    };
    return response;
  }

  http::Response OfRun(const http::RequestHead& head, std::string_view path,
                       const std::string& body, const auth::Identity& identity) {
    const auto [id, what] = Cut(path);
    const auto run = runs_.Open(UriDecode(id));
    if (!run.ok()) return ErrorAnswer(run.status());
    if (head.method == "POST") {
      if (what == "marks") {
        return ChangeMarksOf(*parts_.authenticator, identity, run.value()->places(), body);
      }
      if (what == "delete") return deleted_.Delete(identity, run.value()->places());
      return Control(parts_, identity, run.value()->places(), what, body);
    }
    if (head.method != "GET") return WrongMethod("GET, POST");
    if (what == "export.html") return ExportAnswer(run.value());
    return Show(run.value(), what, head.query);
  }

  http::Response Show(const std::shared_ptr<OpenRun>& run, std::string_view what,
                      const std::string& query) {
    if (what.empty()) return JsonAnswer(DetailOf(*parts_.options, run.get()));
    http::RequestHead head;
    head.query = query;
    RunRequest request = RequestFor(run, head);
    if (what == "facts") return FactsOfRun(run->places());
    if (what == "logs") return RunLogs(*parts_.options, request);
    return Ask(what, std::move(request));
  }

  http::Response ExportAnswer(const std::shared_ptr<OpenRun>& run) {
    const std::unique_lock lock(exporting_, std::try_to_lock);
    if (!lock.owns_lock()) {
      return ErrorAnswer(409, "another run is being exported; try again when it is done");
    }
    auto exported = Export(run, {});
    if (!exported.ok()) return ErrorAnswer(exported.status());
    http::Response response;
    // A file to keep, not a page of this site.
    response.headers = {
        {"Content-Type", "text/html; charset=utf-8"},
        {"Content-Disposition", fmt::format("attachment; filename=\"{}.html\"", run->places().id)},
        {"Content-Security-Policy", "sandbox allow-scripts"},
        {"X-Content-Type-Options", "nosniff"},
        {"Cache-Control", "no-store"}};
    response.body = std::move(exported.value().page);
    return response;
  }

  http::Response FactsOfRun(const RunPlaces& places) {
    Json facts{{"hyper_parameters", table_.ColumnsOf(places)["hyper_parameters"]}};
    if (!places.job) facts.update(trial::ReadRunOrigin(places.tensors));
    return JsonAnswer(facts);
  }

  http::Response OfDeleted(const http::RequestHead& head, std::string_view path,
                           const auth::Identity& identity) {
    const auto [id, what] = Cut(path);
    if (what != "restore") return NoSuchAddress();
    if (head.method != "POST") return WrongMethod("POST");
    return deleted_.Restore(identity, UriDecode(id));
  }

  http::Response Ask(std::string_view what, RunRequest request) {
    for (const RunEndpoints& side : shown_) {
      for (const RunEndpoint& endpoint : side.endpoints) {
        const std::string_view path = endpoint.path;
        if (path == what) return endpoint.answer(request);
        if (!path.ends_with("/*") || !what.starts_with(path.substr(0, path.size() - 1))) continue;
        request.rest = UriDecode(what.substr(path.size() - 1));
        return endpoint.answer(request);
      }
    }
    return NoSuchAddress();
  }

  const sagemaker::ApiParts parts_;
  const Sessions sessions_;
  std::mutex exporting_;  // One at a time: it takes memory and time.
  RemoteRuns remote_;
  RunSet runs_;
  SummaryTexts summaries_;
  RunTable table_;
  DeletedRuns deleted_;
  const std::vector<RunEndpoints> shown_;
  const std::shared_ptr<LiveHub> live_;  // Last: it uses the others.
};

}  // namespace

std::unique_ptr<http::Handler> MakeDashboard(const sagemaker::ApiParts& parts, Sessions sessions) {
  return std::make_unique<Dashboard>(parts, std::move(sessions));
}

Result<ExportedRun> ExportFolder(const service::ServiceOptions& options, const std::string& folder,
                                 const ExportLimits& limits) {
  sagemaker::ApiParts parts{};
  parts.options = &options;
  // Nobody signs in.
  Dashboard dashboard(parts, Sessions(nullptr, os::Secret(), {}));
  return dashboard.Export(RunIdOf(folder), limits);
}

bool WantsDashboard(const http::RequestHead& head) {
  return head.method == "GET" && head.path == "/" && head.query.empty() &&
         head.Header("authorization").empty() &&
         head.Header("accept").find("text/html") != std::string_view::npos;
}

}  // namespace warden::dashboard
