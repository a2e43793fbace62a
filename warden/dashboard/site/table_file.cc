#include "warden/dashboard/site/table_file.h"

#include <optional>
#include <sstream>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"

namespace warden::dashboard {
namespace {

// A line for each run: parsed one at a time, they need little memory.
std::optional<std::pair<std::string, KnownRun>> ParseLine(const std::string& line) {
  const auto json = ParseJson(line);
  if (!json.ok()) return std::nullopt;
  const std::string id = TextOf(MemberOf(json.value(), "id"));
  KnownRun run{TextOf(MemberOf(json.value(), "stamp")), TextOf(MemberOf(json.value(), "text"))};
  // It becomes a part of an answer as it is.
  const auto text = ParseJson(run.text);
  if (id.empty() || !text.ok() || !text.value().is_object()) return std::nullopt;
  if (const Json* best = MemberOf(json.value(), "best"); best != nullptr && best->is_object()) {
    for (const auto& [name, values] : best->items()) run.best[name] = JsonText(values);
  }
  if (const Json* until = MemberOf(json.value(), "until"); until != nullptr && until->is_number()) {
    run.until = until->get<double>();
  }
  if (const Json* began = MemberOf(json.value(), "began"); began != nullptr && began->is_number()) {
    run.began = began->get<double>();
  }
  return std::pair(id, std::move(run));
}

}  // namespace

KnownRuns ReadKnownRuns(const std::string& path, const std::string& version) {
  KnownRuns runs;
  auto content = os::ReadWholeFile(path);
  if (!content) return runs;
  std::istringstream lines(std::move(*content));
  std::string line;
  std::getline(lines, line);
  const auto head = ParseJson(line);
  if (!head.ok() || TextOf(MemberOf(head.value(), "version")) != version) return runs;
  while (std::getline(lines, line)) {
    if (auto run = ParseLine(line)) runs.insert(std::move(*run));
  }
  return runs;
}

KnownRunsText::KnownRunsText(const std::string& version)
    : text_(JsonText({{"version", version}}) + "\n") {}

void KnownRunsText::Add(const std::string& id, const KnownRun& run) {
  Json line{{"id", id}, {"stamp", run.stamp}, {"text", run.text}};
  if (!run.best.empty()) line["best"] = Json::object();
  for (const auto& [name, values] : run.best) {
    if (auto parsed = ParseJson(values); parsed.ok()) {
      line["best"][name] = std::move(parsed.value());
    }
  }
  if (run.until > 0) line["until"] = run.until;
  if (run.began) line["began"] = *run.began;
  text_ += JsonText(line) + "\n";
}

Status KnownRunsText::Write(const std::string& path) const {
  return os::ReplaceFile(path, text_, 0600);
}

}  // namespace warden::dashboard
