#include "warden/jobs/exec/host_place.h"

#include <fmt/format.h>
#include <unistd.h>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/os/kill_processes.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

Status NotAPlace(const std::string& path, std::string_view member, std::string_view accepted) {
  return Status(Code::kCorrupt, fmt::format("{}: {} is not {}", path, member, accepted));
}

// "NAME=value", as the system takes it.
bool IsVariable(const Json& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  const size_t equals = text.find('=');
  return equals != std::string::npos && equals > 0 && text.find('\0') == std::string::npos;
}

// A host whose program is in a container is known by how that is removed:
// [RUNTIME, "rm", "--force", NAME].
std::vector<std::string> EnteringOf(const Json& spec) {
  const auto cleaning = spec.find("cleaning");
  if (cleaning == spec.end() || !cleaning->is_array() || cleaning->size() != 4) return {};
  for (const Json& word : *cleaning) {
    if (!word.is_string()) return {};
  }
  if ((*cleaning)[1] != "rm") return {};
  return {(*cleaning)[0].get<std::string>(), "exec", "--interactive", "--tty", "--env", "TERM",
          (*cleaning)[3].get<std::string>()};
}

// The process that leads into the box, as the host's agent has reported it.
Result<ShellBox> BoxIn(const std::string& agent_folder, const Json& described) {
  const auto text = os::ReadWholeFile(agent_folder + "/state.json");
  const auto state = ParseJson(text.value_or(""));
  const auto pid = state.ok() ? IntegerOf(MemberOf(state.value(), "program_pid")) : 0;
  // Numbers are reused; this one must be of the host.
  if (pid <= 1 || !os::HasVariable(static_cast<pid_t>(pid), "TENSORWARDEN_HOST=" + agent_folder)) {
    return Status(Code::kNotFound, "the host's program is not running");
  }
  ShellBox box{static_cast<pid_t>(pid), std::nullopt, TextOf(MemberOf(state.value(), "group"))};
  if (const Json* user = MemberOf(described, "user")) {
    box.user = static_cast<uid_t>(IntegerOf(user));
  }
  return box;
}

}  // namespace

Result<HostPlace> ReadHostPlace(const std::string& agent_folder) {
  const std::string path = agent_folder + "/spec.json";
  const auto text = os::ReadWholeFile(path);
  if (!text) return Status(Code::kNotFound, "the host was not started");
  const auto spec = ParseJson(*text);
  if (!spec.ok()) return spec.status().WithContext(path);
  const Json& json = spec.value();
  if (!json.is_object()) return NotAPlace(path, "it", "an object");
  HostPlace place;
  const auto variables = json.find("environment");
  if (variables == json.end() || !variables->is_array()) {
    return NotAPlace(path, "environment", "a list of \"NAME=value\"");
  }
  for (const Json& variable : *variables) {
    if (!IsVariable(variable)) return NotAPlace(path, "environment", "a list of \"NAME=value\"");
    place.environment.push_back(variable.get<std::string>());
  }
  const auto directory = json.find("directory");
  if (directory == json.end() || !directory->is_string()) {
    return NotAPlace(path, "directory", "a folder path");
  }
  place.directory = directory->get<std::string>();
  if (!place.directory.starts_with('/') || place.directory.find('\0') != std::string::npos) {
    return NotAPlace(path, "directory", "an absolute path");
  }
  place.entering = EnteringOf(json);
  if (const Json* described = MemberOf(json, "box")) {
    const auto box = BoxIn(agent_folder, *described);
    if (!box.ok()) return box.status();
    place.box = box.value();
  }
  return place;
}

std::string ShellOf(const HostPlace& place) {
  if (!place.entering.empty()) return "/bin/sh";
  for (const std::string& variable : place.environment) {
    if (!variable.starts_with("SHELL=/")) continue;
    const std::string shell = variable.substr(6);
    if (access(shell.c_str(), X_OK) == 0) return shell;
  }
  return "/bin/sh";
}

}  // namespace warden::jobs
