#include "warden/jobs/agent/agent_folder.h"

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/os/process_table.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

std::string BootId() {
  const std::string text = os::ReadWholeFile("/proc/sys/kernel/random/boot_id").value_or("");
  return std::string(Trim(text));
}

int64_t NumberIn(const Json& json, const char* name) {
  const auto member = json.find(name);
  return member != json.end() && member->is_number_integer() ? member->get<int64_t>() : 0;
}

}  // namespace

bool ProcessMark::IsAlive() const {
  if (pid <= 0 || start == 0 || boot != BootId()) return false;
  return os::StartOfProcess(pid) == start;
}

ProcessMark MarkOf(pid_t pid) { return {pid, os::StartOfProcess(pid).value_or(0), BootId()}; }

std::optional<ProcessMark> ReadMark(const std::string& path) {
  const auto text = os::ReadWholeFile(path);
  if (!text) return std::nullopt;
  const auto json = ParseJson(*text);
  if (!json.ok() || !json.value().is_object()) return std::nullopt;
  ProcessMark mark;
  mark.pid = static_cast<pid_t>(NumberIn(json.value(), "pid"));
  mark.start = NumberIn(json.value(), "start");
  const auto boot = json.value().find("boot");
  if (boot != json.value().end() && boot->is_string()) mark.boot = boot->get<std::string>();
  return mark;
}

Status WriteMark(const std::string& path, const ProcessMark& mark) {
  const Json json = {{"pid", mark.pid}, {"start", mark.start}, {"boot", mark.boot}};
  return os::ReplaceFile(path, DumpLikePython(json) + "\n", 0600);
}

}  // namespace warden::jobs
