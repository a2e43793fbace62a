#include "warden/dashboard/site/export_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/text/uri.h"
#include "warden/base/time.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/dashboard/site/export_page.h"
#include "warden/dashboard/site/page.h"

namespace warden::dashboard {
namespace {

constexpr std::chrono::milliseconds kAskAgainAfter{50};
constexpr size_t kMostExportedFindings = 64;  // Whose tensors have all their statistics.
constexpr size_t kMostParameters = 64;        // As on the page.
constexpr size_t kLastLogLines = 500;         // That an answer about logs has.
constexpr char kCurvePoints[] = "1000";
constexpr char kMapColumns[] = "300";

using Pairs = std::vector<std::pair<std::string, std::string>>;

// The same text as keyOf in web/src/api/exported.ts: what an answer depends on, sorted.
std::string QueryText(Pairs pairs) {
  std::ranges::sort(pairs);
  std::string text;
  for (const auto& [name, value] : pairs) {
    if (!text.empty()) text += '&';
    text += name + "=" + UriEncode(value, /*also_slash=*/true);
  }
  return text;
}

std::string ExportKey(const std::string& what, const Pairs& pairs) {
  return pairs.empty() ? what : what + "?" + QueryText(pairs);
}

std::vector<std::string> TextsIn(const Json& json, const char* name) {
  std::vector<std::string> texts;
  const Json* list = MemberOf(json, name);
  if (list == nullptr || !list->is_array()) return texts;
  for (const Json& one : *list) texts.push_back(TextOf(&one));
  return texts;
}

const Json& ListIn(const Json& json, const char* name) {
  static const Json none = Json::array();
  const Json* list = MemberOf(json, name);
  return list != nullptr && list->is_array() ? *list : none;
}

bool Has(const std::vector<std::string>& texts, std::string_view one) {
  return std::ranges::find(texts, one) != texts.end();
}

// Those of `wanted` that there are, in this order.
std::vector<std::string> Some(const std::vector<std::string>& there,
                              std::initializer_list<const char*> wanted) {
  std::vector<std::string> some;
  for (const char* one : wanted) {
    if (Has(there, one)) some.emplace_back(one);
  }
  return some;
}

bool IsDone(const Json& json, const char* progress) {
  const Json* state = MemberOf(json, progress);
  const Json* done = state == nullptr ? nullptr : MemberOf(*state, "done");
  return done == nullptr || !done->is_boolean() || done->get<bool>();
}

bool IsPending(const Json& json) {
  const Json* pending = MemberOf(json, "pending");
  return pending != nullptr && pending->is_boolean() && pending->get<bool>();
}

// Collects the answers of a run.
class RunExporter {
 public:
  RunExporter(const AskOfRun& ask, const ExportLimits& limits)
      : ask_(ask), limits_(limits), deadline_(std::chrono::steady_clock::now() + limits.patience) {}

  Result<ExportedRun> Run(const std::string& id) {
    const http::Response first = ask_("", "");
    if (first.status != 200) {
      const auto told = ParseJson(first.body);
      return Status(Code::kUnavailable, told.ok() ? TextOf(MemberOf(told.value(), "message"))
                                                  : "the run cannot be read");
    }
    // Reading begins with the first question.
    AddWhenDone("tensors", [](const Json& json) { return IsDone(json, "ingested"); }, &tensors_);
    AddWhenDone("metrics", [](const Json& json) { return IsDone(json, "state"); }, &metrics_);
    Json profile;
    AddWhenDone("profile", [](const Json& json) { return !IsPending(json); }, &profile);
    // Findings may have changed meanwhile.
    const http::Response last = ask_("", "");
    Keep("", last.status == 200 ? last.body : first.body);
    if (auto json = ParseJson(last.body); json.ok()) detail_ = std::move(json.value());
    Add("steps", {});
    Add("metrics/summary", {});
    Add("metrics/marks", {});
    AddLogs();
    AddScalars();
    AddFindings();
    AddParameters();
    AddMaps();
    AddRanks();
    AddMetrics();
    AddCurves();
    return Finish(id);
  }

 private:
  bool IsFull() const { return bytes_.size() >= limits_.most_bytes; }

  void Keep(const std::string& key, std::string_view body) {
    answers_.push_back(Json::array({key, bytes_.size(), body.size()}));
    keys_.insert(key);
    bytes_ += body;
    // Columns of numbers are read where they are.
    bytes_.resize((bytes_.size() + 7) / 8 * 8, '\0');
  }

  // more: what the answer does not depend on where it is used, such as the number of points.
  bool Add(const std::string& what, Pairs pairs, const Pairs& more = {}) {
    const std::string key = ExportKey(what, pairs);
    if (keys_.contains(key)) return true;
    pairs.insert(pairs.end(), more.begin(), more.end());
    const http::Response response = ask_(what, QueryText(pairs));
    if (response.status != 200) return true;
    if (bytes_.size() + response.body.size() > limits_.most_bytes) return false;
    Keep(key, response.body);
    return true;
  }

  template <class IsReady>
  void AddWhenDone(const std::string& what, IsReady is_ready, Json* json) {
    while (true) {
      const http::Response response = ask_(what, "");
      auto parsed =
          response.status == 200 ? ParseJson(response.body) : Status(Code::kNotFound, what);
      if (!parsed.ok()) return;
      const bool ready = is_ready(parsed.value());
      if (ready || std::chrono::steady_clock::now() >= deadline_) {
        if (!ready) left_out_.push_back(fmt::format("What was not read in time ({}).", what));
        *json = std::move(parsed.value());
        Keep(what, response.body);
        return;
      }
      std::this_thread::sleep_for(kAskAgainAfter);
    }
  }

  void AddLogs() {
    const http::Response response = ask_("logs", "");
    const auto log = response.status == 200 ? ParseJson(response.body)
                                            : Result<Json>(Status(Code::kNotFound, "logs"));
    if (!log.ok()) return;
    Keep("logs", response.body);
    for (const std::string& host : TextsIn(log.value(), "hosts")) Add("logs", {{"host", host}});
    if (ListIn(log.value(), "lines").size() >= kLastLogLines) {
      left_out_.push_back(fmt::format("Log lines before the last {} of each host.", kLastLogLines));
    }
  }

  bool AddCurve(const std::string& tensor, const std::string& statistic, const std::string& mode,
                const std::string& x) {
    Pairs pairs = {{"tensor", tensor}, {"statistic", statistic}};
    if (mode != "GLOBAL") pairs.emplace_back("mode", mode);
    if (!x.empty()) pairs.emplace_back("x", x);
    return Add("series", std::move(pairs), {{"points", kCurvePoints}});
  }

  // Losses, metrics and everything else with one element: by step and by time, in every mode.
  void AddScalars() {
    for (const Json& tensor : ListIn(tensors_, "tensors")) {
      const auto statistics = TextsIn(tensor, "statistics");
      const auto collections = TextsIn(tensor, "collections");
      if (!Has(statistics, "value") && !Has(collections, "losses") &&
          !Has(collections, "metrics")) {
        continue;
      }
      const std::string name = TextOf(MemberOf(tensor, "name"));
      const auto usual = Some(statistics, {"value", "mean", "min"});
      if (usual.empty()) continue;
      bool fits =
          AddCurve(name, usual[0], "GLOBAL", "") && AddCurve(name, usual[0], "GLOBAL", "time");
      for (const std::string& mode : TextsIn(tensor, "modes")) {
        if (mode == "GLOBAL") continue;
        for (const char* x : {"", "global", "time"})
          fits = fits && AddCurve(name, usual[0], mode, x);
      }
      if (!fits) ++curves_left_out_;
    }
  }

  // Tensors that rules complain about, with all their statistics.
  void AddFindings() {
    std::set<std::string> names;
    for (const Json& rule : ListIn(detail_, "rules")) {
      for (const Json& finding : ListIn(rule, "findings")) {
        const std::string name = TextOf(MemberOf(finding, "tensor"));
        if (!name.empty() && names.size() < kMostExportedFindings) names.insert(name);
      }
    }
    for (const Json& tensor : ListIn(tensors_, "tensors")) {
      const std::string name = TextOf(MemberOf(tensor, "name"));
      if (!names.contains(name)) continue;
      for (const std::string& statistic : TextsIn(tensor, "statistics")) {
        if (IsFull()) return;
        AddCurve(name, statistic, "GLOBAL", "");
      }
    }
  }

  void AddParameters() {
    size_t count = 0;
    for (const Json& tensor : ListIn(tensors_, "tensors")) {
      if (!Has(TextsIn(tensor, "collections"), "hyperparameters")) continue;
      if (++count > kMostParameters || IsFull()) return;
      Add("value", {{"tensor", TextOf(MemberOf(tensor, "name"))},
                    {"step", std::to_string(IntegerOf(MemberOf(tensor, "last")))}});
    }
  }

  // The heat maps of layers: of each collection, the statistics that are shown first.
  void AddMaps() {
    const auto collections = TextsIn(tensors_, "collections");
    auto first = Some(collections, {"gradients", "weights", "relu_output", "outputs", "layers",
                                    "biases", "default", "all"});
    for (const std::string& one : collections) {
      if (!Has(first, one)) first.push_back(one);
    }
    first.emplace_back();  // All tensors.
    size_t left_out = 0;
    for (const std::string& collection : first) {
      for (const std::string& statistic : StatisticsOf(collection)) {
        Pairs pairs = {{"statistic", statistic}};
        if (!collection.empty()) pairs.emplace_back("collection", collection);
        if (!Add("heatmap", std::move(pairs), {{"columns", kMapColumns}})) ++left_out;
      }
    }
    if (left_out > 0) left_out_.push_back(fmt::format("{} heat maps of layers.", left_out));
  }

  // Workers beside each other, where there are several.
  void AddRanks() {
    if (ListIn(tensors_, "workers").size() < 2) return;
    const http::Response response = ask_("ranks", "");
    const auto ranks = response.status == 200 ? ParseJson(response.body)
                                              : Result<Json>(Status(Code::kNotFound, "ranks"));
    if (!ranks.ok()) return;
    Keep("ranks", response.body);
    for (const std::string& of : TextsIn(ranks.value(), "measures")) {
      Add("ranks/map", {{"of", of}}, {{"columns", kMapColumns}});
    }
  }

  std::vector<std::string> StatisticsOf(const std::string& collection) const {
    std::vector<std::string> all;
    for (const Json& tensor : ListIn(tensors_, "tensors")) {
      if (!collection.empty() && !Has(TextsIn(tensor, "collections"), collection)) continue;
      for (std::string& one : TextsIn(tensor, "statistics")) {
        if (!Has(all, one)) all.push_back(std::move(one));
      }
    }
    return Some(all, {"abs_mean", "l2", "abs_max", "std", "mean", "max", "min", "value", "nans"});
  }

  void AddMetrics() {
    for (const Json& node : ListIn(metrics_, "nodes")) {
      const std::string name = TextOf(MemberOf(node, "name"));
      std::vector<std::string> keys = {"cpu",         "io_wait",   "gpu",       "gpu_memory",
                                       "memory",      "network",   "disk",      "network_in",
                                       "network_out", "disk_read", "disk_write"};
      for (const Json& metric : ListIn(node, "metrics")) {
        keys.push_back(TextOf(MemberOf(metric, "key")));
      }
      bool fits = Add("metrics/heatmap", {{"node", name}}, {{"columns", kMapColumns}});
      for (const std::string& key : keys) {
        fits = Add("metrics/series", {{"node", name}, {"key", key}}, {{"points", kCurvePoints}}) &&
               fits;
      }
      if (!fits) left_out_.push_back(fmt::format("Some system metrics of {}.", name));
    }
  }

  void AddCurves() {
    for (const Json& tensor : ListIn(tensors_, "tensors")) {
      const std::string name = TextOf(MemberOf(tensor, "name"));
      const auto all = TextsIn(tensor, "statistics");
      bool fits = true;
      for (const std::string& statistic :
           Some(all, {"value", "mean", "min", "max", "abs_mean", "l2", "std", "nans", "zeros"})) {
        fits = fits && AddCurve(name, statistic, "GLOBAL", "");
      }
      if (!fits) ++curves_left_out_;
    }
  }

  Result<ExportedRun> Finish(const std::string& id) {
    if (curves_left_out_ > 0) {
      left_out_.push_back(fmt::format("Curves of {} of {} tensors.", curves_left_out_,
                                      ListIn(tensors_, "tensors").size()));
    }
    left_out_.emplace_back(
        "Values, distributions and activation maps of tensors, the timeline and reports: they need "
        "the dashboard.");
    const auto workers = TextsIn(tensors_, "workers");
    if (workers.size() > 1) {
      left_out_.push_back(fmt::format("Curves of workers other than {}.", workers[0]));
    }
    const Json index = {{"run", id},
                        {"name", TextOf(MemberOf(detail_, "name"))},
                        {"exported", IsoSeconds(Now())},
                        {"version", WARDEN_VERSION},
                        {"worker", workers.empty() ? "" : workers[0]},
                        {"left_out", left_out_},
                        {"answers", std::move(answers_)}};
    auto page = OfflinePage(TextOf(MemberOf(detail_, "name")), JsonText(index), bytes_);
    if (!page.ok()) return page.status();
    return ExportedRun{std::move(page.value()), std::move(left_out_)};
  }

  const AskOfRun& ask_;
  const ExportLimits limits_;
  const std::chrono::steady_clock::time_point deadline_;
  Json detail_, tensors_, metrics_;
  Json answers_ = Json::array();  // [key, first byte, number of bytes].
  std::set<std::string> keys_;
  std::string bytes_;
  std::vector<std::string> left_out_;
  size_t curves_left_out_ = 0;
};

}  // namespace

Result<ExportedRun> ExportRun(const std::string& id, const AskOfRun& ask,
                              const ExportLimits& limits) {
  if (!HasDashboardPages()) {
    return Status(Code::kUnavailable,
                  "this build has no dashboard pages; install a released "
                  "package, or build with -DWARDEN_WEB=ON");
  }
  return RunExporter(ask, limits).Run(id);
}

}  // namespace warden::dashboard
