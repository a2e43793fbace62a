// The input as what a browser sends to the dashboard: the query of every chart and table of a small
// run, the key of a session or a ticket, changes of a run and of its marks; and as the file that
// keeps sessions.

#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/job_service.h"
#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/dashboard/core/query.h"
#include "warden/dashboard/metrics/metrics_endpoints.h"
#include "warden/dashboard/profile/profile_endpoints.h"
#include "warden/dashboard/site/control.h"
#include "warden/dashboard/site/marking.h"
#include "warden/dashboard/site/session_store.h"
#include "warden/dashboard/tensors/tensor_endpoints.h"
#include "warden/dashboard/timeline/timeline_endpoints.h"
#include "warden/format/event_message.h"
#include "warden/format/index_file.h"
#include "warden/format/layout.h"

namespace warden::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace dashboard;

constexpr int kSteps = 3;
constexpr char kMetrics[] =
    R"({"Type": "cpu", "Name": "cpu0", "Dimension": "CPUUtilization", "Value": 35, )"
    R"("Timestamp": 1700000040.1, "NodeId": "algo-1"})"
    "\n"
    R"({"Type": "gpu", "Name": "gpu0", "Dimension": "GPUUtilization", "Value": 90, )"
    R"("Timestamp": 1700000040.6, "NodeId": "algo-1"})"
    "\n";
constexpr char kTrace[] =
    R"([{"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "Step:ModeKeys.TRAIN"}},
{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {"sort_index": 0}},
{"name": "Step:ModeKeys.TRAIN", "ph": "X", "pid": 0, "ts": 0, "dur": 5, "args": {"step_num": "1"}},
{"name": "Step:ModeKeys.TRAIN", "ph": "X", "pid": 0, "ts": 6, "dur": 5, "args": {"step_num": "2"}}
])";

void WriteNew(const fs::path& file, std::string_view text) {
  fs::create_directories(file.parent_path());
  Write(file, text);
}

// A run with two tensors and a profile.
class Run {
 public:
  Run() {
    for (int step = 0; step < kSteps; ++step) WriteStep(step);
    WriteNew(folder_.path() / format::kEndMarker, "");
    const fs::path profile = folder_.path() / "profiler-output";
    WriteNew(profile / "system/incremental/2023111422/1700000040.algo-1.json", kMetrics);
    const fs::path traces = profile / "framework/pevents/2023111422";
    WriteNew(traces / "1700000099000000_88-algo-1_pythontimeline.json", kTrace);
    RunPlaces places;
    places.id = places.name = "run";
    places.folder = places.tensors = folder_.path();
    places.profile = profile;
    places.rule_records = folder_.path() / "rule-output";
    run_ = std::make_shared<OpenRun>(places);
    for (RunEndpoints side :
         {TensorEndpoints(), MetricsEndpoints(), TimelineEndpoints(), ProfileEndpoints()}) {
      for (RunEndpoint& endpoint : side.endpoints) endpoints_.push_back(std::move(endpoint));
    }
  }

  RunPlaces places() const { return run_->places(); }

  // The first byte says which endpoint, unless it is the first of a query.
  void Ask(std::string_view text) const {
    if (text.empty()) return;
    const RunEndpoint& endpoint = endpoints_[static_cast<uint8_t>(text[0]) % endpoints_.size()];
    const RunRequest request{run_, Query(text.substr(1)), "x",
                             [this](const std::string& id) -> Result<std::shared_ptr<OpenRun>> {
                               if (id == "run") return run_;
                               return Status(Code::kNotFound, "no such run");
                             }};
    const http::Response response = endpoint.answer(request);
    Check(response.status >= 200 && response.status != 500);
    if (response.status >= 400) {
      const auto body = ParseJson(response.body);
      Check(body.ok() && body.value().is_object());
    }
  }

 private:
  void WriteStep(int step) const {
    const std::string key = format::EventFileKey(step, "worker_0");
    format::IndexFile index;
    index.mode_step = step;
    index.event_file = key;
    std::string events;
    for (const char* name : {"CrossEntropyLoss_output_0", "fc.weight"}) {
      const std::string bytes(24, static_cast<char>('0' + step));
      const int64_t shape[] = {2, 3};
      const format::TensorEventHeader header{
          1.0, step, name, Mode::kGlobal, step, DType::kFloat32, shape, bytes.size()};
      std::string head, tail;
      format::EncodeTensorRecord(header, &head, &tail);
      const size_t start = events.size();
      events += head + bytes + tail;
      index.entries.push_back({name, start, events.size() - start});
    }
    WriteNew(folder_.path() / key, events);
    WriteNew(folder_.path() / format::IndexFileKey(step, "worker_0"),
             format::EncodeIndexFile(index));
  }

  MemoryFolder folder_;
  std::shared_ptr<OpenRun> run_;
  std::vector<RunEndpoint> endpoints_;
};

// What is accepted is within what is asked for.
void UseAsQuery(std::string_view text) {
  const Query query(text);
  for (const char* name : {"a", "mode", "points"}) {
    const std::vector<std::string> all = query.All(name);
    Check(query.Text(name) == (all.empty() ? "" : all.front()));
    Check(query.Needed(name).ok() != query.Text(name).empty());
    const auto number = query.Int(name, -3, 4000, 7);
    Check(number.ok() ? number.value() >= -3 && number.value() <= 4000
                      : number.status().code() == Code::kInvalid);
    const auto fraction = query.Number(name, 0.5);
    Check(fraction.ok() ? std::isfinite(fraction.value())
                        : fraction.status().code() == Code::kInvalid);
    (void)query.ModeOf(name);
  }
}

SessionRules Rules(const std::string& file) {
  SessionRules rules;
  rules.file = file;
  rules.most = 8;
  rules.now = [] {
    return std::chrono::system_clock::time_point(std::chrono::seconds(1'700'000'000));
  };
  return rules;
}

// A key opens all, a ticket one path, nothing else anything; and an end is one.
void UseAsKey(const std::string& text) {
  SessionStore store(Rules(""), "token");
  const std::string key = store.Begin("viewer");
  Check(!store.ViewerIn(text) && !store.ViewerWith(text, "/a") && !store.End(text));
  const std::string id = key.substr(0, key.find('.'));
  Check(!store.ViewerIn(id + "." + text) && !store.ViewerWith(id + "." + text, text));
  Check(store.TicketFor(text, "/a").empty());
  const std::string ticket = store.TicketFor(key, text);
  Check(store.ViewerWith(ticket, text) == "viewer" && !store.ViewerWith(ticket, text + "/"));
  Check(!store.ViewerIn(ticket) && !store.ViewerWith(key, text));
  Check(store.End(key) && !store.ViewerIn(key) && !store.ViewerWith(ticket, text));
}

// Whatever the file has, sessions begin, and are there after a restart.
void UseAsSessions(const fs::path& file, std::string_view text) {
  Write(file, text);
  chmod(file.c_str(), 0600);
  SessionStore store(Rules(file), "token");
  const std::string key = store.Begin("viewer");
  Check(store.ViewerIn(key) == "viewer");
  SessionStore again(Rules(file), "token");
  Check(again.ViewerIn(key) == "viewer");
  SessionStore other(Rules(file), "another token");
  Check(!other.ViewerIn(key));
}

void CheckAnswer(const http::Response& response) {
  Check(response.status >= 200 && response.status < 500);
  Check(ParseJson(response.body).ok());
}

void UseAsControl(JobService* service, const std::string& text) {
  RunPlaces places;
  places.id = places.name = "demo";
  places.folder = service->data();
  CheckAnswer(Control(service->parts(), OneKey::Owner(), places, "stop", text));
  places.job = service->demo();
  for (const char* what : {"profiling", "rules"}) {
    CheckAnswer(Control(service->parts(), OneKey::Owner(), places, what, text));
  }
  Check(Control(service->parts(), OneKey::Owner(), places, text, "").status >= 400 ||
        text == "stop");
  service->Restore();
}

// Later answers contain what was changed. A refused request changes nothing.
void UseAsMarks(const auth::Authenticator& key, const RunPlaces& places, const std::string& text) {
  const Json before = MarksJson(places);
  const http::Response response = ChangeMarksOf(key, OneKey::Owner(), places, text);
  CheckAnswer(response);
  const Json after = MarksJson(places);
  Check(response.status == 200 ? ParseJson(response.body).value() == after : after == before);
  if (response.status == 200) {
    const auto again = ChangeMarksOf(key, OneKey::Owner(), places, after.dump());
    Check(again.status == 200 && MarksJson(places) == after);
  }
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warden::fuzz;
  static JobService service;
  static const Run run;
  const std::string text(Text(data, size));
  run.Ask(text);
  UseAsQuery(text);
  UseAsKey(text);
  UseAsSessions(fs::path(service.data()) / "sessions.json", text);
  UseAsControl(&service, text);
  UseAsMarks(service.key(), run.places(), text);
  return 0;
}
