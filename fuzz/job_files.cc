// The input as what a job brings along, says and leaves: requirements, patterns of metrics, the
// processes it wants, its log, the reason of its failure, its findings, the name of its process.

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/memory_folder.h"
#include "warden/base/json.h"
#include "warden/base/number_pattern.h"
#include "warden/base/strings.h"
#include "warden/base/text/utf8.h"
#include "warden/jobs/events/findings_file.h"
#include "warden/jobs/launch/distribution.h"
#include "warden/jobs/launch/failure_text.h"
#include "warden/jobs/launch/requirements.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/jobs/logs/log_folder.h"
#include "warden/os/process_table.h"

namespace warden::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace jobs;

JobEnvironment Python() {
  JobEnvironment environment;
  environment.name = "python";
  environment.python = "python3";
  return environment;
}

// Short enough for the API, and text.
void UseAsFailure(const fs::path& folder, std::string_view text) {
  const fs::path file = folder / "failure";
  for (const bool told : {true, false}) {
    Write(file, told ? text : "");
    const std::string reason = FailureText(file, text);
    Check(reason.size() <= 1024 && IsUtf8(reason));
  }
}

std::vector<LogLine> LinesOf(const std::string& folder, size_t lines, size_t bytes) {
  std::vector<LogLine> all;
  for (uint64_t next = 0;;) {
    const auto page = ReadLog(folder, next, lines, bytes);
    Check(page.ok() && page.value().next >= next && page.value().lines.size() <= lines);
    if (page.value().lines.empty()) return all;
    Check(page.value().next > next);
    next = page.value().next;
    all.insert(all.end(), page.value().lines.begin(), page.value().lines.end());
  }
}

// However large the pages are, they have the same lines, each at its place.
void UseAsLog(const fs::path& folder, std::string_view text) {
  const fs::path log = folder / "log";
  fs::remove_all(log);
  fs::create_directories(log);
  const size_t half = text.size() / 2;
  Write(log / LogFileName(0), text.substr(0, half));
  Write(log / LogFileName(half), text.substr(half));
  const auto all = LinesOf(log, 1'000'000, 1 << 24);
  uint64_t position = 0;
  for (const LogLine& line : all) {
    Check(line.position >= position && line.position < text.size() && IsUtf8(line.text));
    Check(line.time.time_since_epoch().count() >= 0);
    position = line.position + 1;
  }
  if (all.size() > 1000) return;  // Each page opens the files again.
  const auto pages = LinesOf(log, 3, 64);
  Check(pages.size() == all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    Check(pages[i].text == all[i].text && pages[i].position == all[i].position);
  }
  (void)ReadLog(log, UINT64_MAX - 1, 10, 10);
}

// What other jobs get too names nothing of this one's folder.
void UseAsRequirements(const fs::path& folder, std::string_view text) {
  const fs::path agent = folder / "agent";
  fs::create_directories(agent / "opt/ml/code");
  Write(agent / "opt/ml/code/requirements.txt", text);
  const auto found = RequirementsOf(HostLayout(agent, HostLayout::View::kBox), Python(),
                                    {{"PATH", "/usr/bin:/bin"}}, os::Box(), folder / "packages");
  if (!found || found->folder == found->draft) return;
  std::string line;
  for (const char c : std::string(text) + "\n") {
    if (c != '\n' && c != '\r' && c != '\x0b' && c != '\x0c') {
      line += c;
      continue;
    }
    line = Trim(line);
    for (const char* own : {".", "/", "-e", "-r", "-c", "-f", "--find-links", "--requirement"}) {
      Check(!line.starts_with(own));
    }
    Check(line.starts_with('#') || line.find("file:") == std::string::npos);
    const bool plain = std::ranges::all_of(line, [](unsigned char each) {
      return std::isalnum(each) != 0 || each == '.' || each == '-' || each == '_';
    });
    Check(!plain || !line.ends_with(".whl"));
    line.clear();
  }
}

void UseAsWrittenRequirements(const Json& json) {
  const auto found = RequirementsFromJson(json);
  if (!found.ok()) {
    Check(found.status().code() == Code::kCorrupt);
    return;
  }
  const auto again = RequirementsFromJson(ToJson(found.value()));
  Check(again.ok() && ToJson(again.value()) == ToJson(found.value()));
  Check(!found.value().words.empty() && found.value().folder.starts_with('/'));
}

// What is done starts as many processes as are asked for, and the program in the end.
void UseAsHyperParameters(const Json& json) {
  TrainingJob job;
  job.name = "demo";
  job.request = {{"ResourceConfig", {{"InstanceCount", 2}}}, {"HyperParameters", json}};
  const auto found = DistributionOf(job, Python());
  if (!found.ok()) {
    Check(found.status().code() == Code::kInvalid && !found.status().message().empty());
    return;
  }
  Check(found.value().processes >= 0 && found.value().processes <= 1024);
  if (found.value().kind == Distribution::Kind::kNone) return;
  DistributedHost host{found.value(), job.Hosts(), "algo-1", {}};
  Check(Distribute(host, {"python3", "train.py", "--x"}).back() == "--x");
  Variables variables;
  AddDistribution(host, &variables);
  Check(variables.contains("MASTER_ADDR"));
}

std::vector<actions::Firing> FindingsOf(const fs::path& folder, std::string_view text, size_t cut) {
  const std::string file = FindingsIn(folder);
  FindingsReader reader(folder);
  Write(file, text.substr(0, cut));
  std::vector<actions::Firing> all = reader.Next();
  Write(file, text);
  for (actions::Firing& firing : reader.Next()) all.push_back(std::move(firing));
  Check(reader.Next().empty());
  return all;
}

// While the file grows it has the same findings; written, they are read as they were.
void UseAsFindings(const fs::path& folder, std::string_view text) {
  const auto all = FindingsOf(folder, text, text.size());
  const auto grown = FindingsOf(folder, text, text.size() / 3);
  Check(grown.size() == all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    Check(actions::ToJson(grown[i]) == actions::ToJson(all[i]));
  }
  if (all.empty()) return;
  FindingsWriter(folder).Write(all);
  const auto again = FindingsReader(folder).Next();
  Check(again.size() == all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    Check(actions::ToJson(again[i]) == actions::ToJson(all[i]));
    Check(actions::EventId(again[i]) == actions::EventId(all[i]));
  }
}

// The first line is the pattern.
void UseAsPattern(std::string_view text) {
  const size_t line = std::min(text.find('\n'), text.size());
  const auto pattern = NumberPattern::Compile(text.substr(0, line));
  if (!pattern.ok()) {
    Check(pattern.status().code() == Code::kInvalid);
    return;
  }
  const auto found = pattern.value().Find(text.substr(std::min(line + 1, text.size())));
  Check(!found || std::isfinite(*found));
}

// A process is who it is, whatever it calls itself.
void UseAsProcessName(std::string_view text) {
  const std::string name(text.substr(0, 15));
  prctl(PR_SET_NAME, name.c_str());
  const auto found = os::FindProcess(getpid());
  Check(found && found->pid == getpid() && found->parent == getppid() && !found->ended);
  Check(found->group == getpgrp() && found->session == getsid(0) && found->start > 0);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warden::fuzz;
  static const MemoryFolder folder;
  const std::string_view text = Text(data, size);
  UseAsFailure(folder.path(), text);
  UseAsLog(folder.path(), text);
  UseAsRequirements(folder.path(), text);
  UseAsFindings(folder.path(), text);
  UseAsPattern(text);
  UseAsProcessName(text);
  if (const auto json = warden::ParseJson(text); json.ok()) {
    UseAsWrittenRequirements(json.value());
    UseAsHyperParameters(json.value());
  }
  return 0;
}
