#include "warden/jobs/launch/host_spec.h"

#include <algorithm>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/jobs/launch/box_json.h"

namespace warden::jobs {
namespace {

Status WrongSpec(const char* member) {
  return Status(Code::kCorrupt, std::string("spec.json: ") + member + " is missing or invalid");
}

bool ReadWords(const Json& json, const char* member, std::vector<std::string>* to) {
  const Json* words = MemberOf(json, member);
  if (words == nullptr || !words->is_array()) return false;
  if (!std::all_of(words->begin(), words->end(), [](const Json& w) { return w.is_string(); })) {
    return false;
  }
  *to = words->get<std::vector<std::string>>();
  return true;
}

}  // namespace

Json ToJson(const HostSpec& spec) {
  return {{"words", spec.words},
          {"environment", spec.environment},
          {"directory", spec.directory},
          {"cleaning", spec.cleaning},
          {"box", spec.box ? ToJson(*spec.box) : Json()},
          {"requirements", spec.requirements ? ToJson(*spec.requirements) : Json()},
          {"notices", spec.notices},
          {"log", spec.log},
          {"log_file_bytes", spec.log_file_bytes},
          {"log_files", spec.log_files},
          {"failure_file", spec.failure_file},
          {"grace_seconds", spec.grace_seconds},
          {"stop_at", spec.stop_at},
          {"longest_seconds", spec.longest_seconds},
          {"nodes_file", spec.nodes_file},
          {"inherited", spec.inherited},
          {"memory_bytes", spec.limits.memory_bytes},
          {"cpus", spec.limits.cpus},
          {"processes", spec.limits.processes},
          {"node", spec.node},
          {"profiler_config", spec.profiler_config},
          {"profiler_folder", spec.profiler_folder}};
}

Result<HostSpec> HostSpecFromJson(const Json& json) {
  HostSpec spec;
  if (!ReadWords(json, "words", &spec.words) || spec.words.empty()) return WrongSpec("words");
  if (!ReadWords(json, "environment", &spec.environment)) return WrongSpec("environment");
  if (!ReadWords(json, "cleaning", &spec.cleaning)) return WrongSpec("cleaning");
  const std::pair<const char*, std::string*> texts[] = {{"directory", &spec.directory},
                                                        {"log", &spec.log},
                                                        {"failure_file", &spec.failure_file},
                                                        {"node", &spec.node},
                                                        {"profiler_config", &spec.profiler_config},
                                                        {"profiler_folder", &spec.profiler_folder}};
  for (const auto& [name, to] : texts) {
    *to = TextOf(MemberOf(json, name));
    if (to->empty()) return WrongSpec(name);
  }
  if (const Json* box = MemberOf(json, "box")) {
    auto read = BoxFromJson(*box);
    if (!read.ok()) return read.status().WithContext("spec.json");
    spec.box = std::move(read.value());
  }
  if (const Json* asked = MemberOf(json, "requirements")) {
    auto read = RequirementsFromJson(*asked);
    if (!read.ok()) return read.status().WithContext("spec.json");
    spec.requirements = std::move(read.value());
  }
  ReadWords(json, "notices", &spec.notices);
  spec.log_file_bytes = static_cast<uint64_t>(IntegerOf(MemberOf(json, "log_file_bytes")));
  spec.log_files = static_cast<int>(IntegerOf(MemberOf(json, "log_files")));
  spec.limits = {static_cast<uint64_t>(IntegerOf(MemberOf(json, "memory_bytes"))),
                 IntegerOf(MemberOf(json, "cpus")),
                 static_cast<uint64_t>(IntegerOf(MemberOf(json, "processes")))};
  spec.grace_seconds = IntegerOf(MemberOf(json, "grace_seconds"));
  spec.stop_at = IntegerOf(MemberOf(json, "stop_at"));
  spec.longest_seconds = IntegerOf(MemberOf(json, "longest_seconds"));
  spec.nodes_file = TextOf(MemberOf(json, "nodes_file"));
  ReadWords(json, "inherited", &spec.inherited);
  return spec;
}

std::string StopFileOf(const std::string& agent) { return agent + "/stop.json"; }

}  // namespace warden::jobs
