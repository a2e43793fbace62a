// The input as what reaches a shell in a job, and what comes back from one: the query that opens
// it, messages, keys that are typed and recorded, where the host runs, and how the shell ended.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/memory_folder.h"
#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/text/uri.h"
#include "warden/base/text/utf8.h"
#include "warden/base/time.h"
#include "warden/client/shell_end.h"
#include "warden/jobs/exec/exec_handler.h"
#include "warden/jobs/exec/host_place.h"
#include "warden/jobs/exec/session_log.h"
#include "warden/jobs/exec/shell_session.h"
#include "warden/jobs/exec/typed_lines.h"
#include "warden/jobs/logs/log_file.h"

namespace warden::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace jobs;

// Takes everybody for the owner of a key for all.
class OneKey final : public auth::Authenticator {
 public:
  auth::Verdict Check(const http::RequestHead&, std::string_view) const override {
    return auth::Identity{"WARDENKEY", "000000000000", "us-east-1", 7};
  }
};

// A service with a job that is training and may be entered.
class Service {
 public:
  Service() {
    options_.data = folder_.path();
    store_ = OpenJobStore(options_.data + "/warden.db").value();
    handler_ = MakeExec(&options_, &key_, store_.get());
    TrainingJob job;
    job.name = "demo";
    job.request = {{"TrainingJobName", "demo"},
                   {"ResourceConfig", {{"InstanceCount", 2}}},
                   {"RemoteDebugConfig", {{"EnableRemoteDebug", true}}}};
    job.created = job.modified = Now();
    Enter(&job, SecondaryStatus::kTraining, "", Now());
    Check(store_->Create(job, {}).ok());
    const fs::path agent = service::DataLayout(options_.data).Host("demo", "algo-1");
    fs::create_directories(agent);
    Write(agent / "spec.json", R"({"environment": ["PATH=/usr/bin:/bin"], "directory": "/usr"})");
  }

  // No shell is started: the connection never comes to be.
  http::Response Ask(std::string query) const {
    http::RequestHead head{"GET", "/-/exec",     std::move(query), {{"Upgrade", "websocket"}},
                           "::1", "0123456789ab"};
    return handler_->Begin(head)->Answer();
  }
  const fs::path& folder() const { return folder_.path(); }

 private:
  MemoryFolder folder_;
  service::ServiceOptions options_;
  OneKey key_;
  std::unique_ptr<JobStore> store_;
  std::unique_ptr<http::Handler> handler_;
};

// It opens a shell in the job, or says why not.
void UseAsQuery(const Service& service, std::string_view text) {
  for (const char* begin : {"", "job=demo&"}) {
    const http::Response response = service.Ask(begin + std::string(text));
    if (response.socket) continue;
    Check(response.status >= 400 && response.status < 500);
    const auto body = ParseJson(response.body);
    Check(body.ok() && !TextOf(MemberOf(body.value(), "message")).empty());
  }
}

// What it is asked to run comes back from the address.
void UseAsWords(const std::string& text) {
  const std::string target = client::ShellTarget({text, text, {text, ""}}, 80, 24, text);
  const size_t mark = target.find('?');
  Check(target.starts_with("/-/exec?") && target.find_first_of(" \r\n#") == std::string::npos);
  const QueryPairs wanted = {{"job", text},  {"host", text}, {"columns", "80"}, {"rows", "24"},
                             {"term", text}, {"word", text}, {"word", ""}};
  Check(ParseQuery(target.substr(mark + 1)) == wanted);
}

void UseAsMessages(std::string_view text) {
  Session session({});
  session.Receive(text);
  for (size_t at = 0; at < text.size() && at < 4096; at += 7) session.Receive(text.substr(at, 7));
  Check(session.state() == Session::State::kNew);
}

std::vector<std::string> LinesOf(std::string_view keys, size_t piece, bool hidden) {
  std::vector<std::string> lines;
  TypedLines typed([&](std::string line) { lines.push_back(std::move(line)); });
  for (size_t at = 0; at < keys.size(); at += piece) typed.Add(keys.substr(at, piece), hidden);
  typed.Finish();
  return lines;
}

// However keys arrive, the record has the same lines; of what is hidden it has nothing.
void UseAsKeys(std::string_view text) {
  const auto lines = LinesOf(text, text.size() + 1, false);
  for (const std::string& line : lines) {
    Check(!line.empty() && line.size() < 4096 + 64);
    for (const char c : line) Check(static_cast<unsigned char>(c) >= 0x20 && c != '\x7f');
  }
  Check(LinesOf(text, 1, false) == lines);
  for (const std::string& line : LinesOf(text, 3, true)) Check(line == "(not shown)");
}

// Whatever is recorded is one line of the log.
void UseAsRecord(const fs::path& folder, std::string_view text) {
  const fs::path log = folder / "log";
  fs::remove_all(log);
  const Time now = Now();
  Check(AddToLog(log, text, now).ok());
  const auto page = ReadLog(log, 0, 10, 1 << 20);
  Check(page.ok() && page.value().lines.size() == 1);
  const LogLine& line = page.value().lines.front();
  Check(line.time == now && IsUtf8(line.text));
}

void UseAsSpec(const fs::path& folder, std::string_view text) {
  const fs::path agent = folder / "agent";
  fs::create_directories(agent);
  Write(agent / "spec.json", text);
  const auto place = ReadHostPlace(agent);
  if (!place.ok()) {
    const Code code = place.status().code();
    Check(code == Code::kCorrupt || code == Code::kNotFound);
    return;
  }
  Check(place.value().directory.starts_with('/') && !ShellOf(place.value()).empty());
  for (const std::string& variable : place.value().environment) {
    Check(variable.find('=') != std::string::npos && variable.find('\0') == std::string::npos);
  }
}

// An exit code, or a reason, and never one as if it were the other.
void UseAsEnd(std::string_view text) {
  const auto end = client::ParseShellEnd(text);
  if (!end) return;
  Check(end->exit_code >= 0 && end->exit_code <= 255);
  Check(end->closed.empty() || end->exit_code == 0);
  if (end->closed.empty()) {
    Check(MemberOf(ParseJson(text).value(), "exit_code") != nullptr);
  }
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warden::fuzz;
  static const Service service;
  const std::string_view text = Text(data, size);
  UseAsQuery(service, text);
  UseAsWords(std::string(text));
  UseAsMessages(text);
  UseAsKeys(text);
  UseAsRecord(service.folder(), text);
  UseAsSpec(service.folder(), text);
  UseAsEnd(text);
  return 0;
}
