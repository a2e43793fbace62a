#include "warden/jobs/launch/environments.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "warden/base/json.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

Status WrongMember(std::string_view member, std::string_view accepted) {
  return Status(Code::kInvalid, fmt::format("{}: expected {}", member, accepted));
}

// No text that a system call would see the end of too early.
bool IsText(const Json& value) {
  return value.is_string() && !value.get_ref<const std::string&>().empty() &&
         value.get_ref<const std::string&>().find('\0') == std::string::npos;
}

Status ReadText(const Json& value, std::string_view member, std::string* to) {
  if (!IsText(value)) return WrongMember(member, "a non-empty string");
  *to = value.get<std::string>();
  return Status();
}

Status ReadTexts(const Json& value, std::string_view member, std::vector<std::string>* to) {
  const bool right = value.is_array() && std::all_of(value.begin(), value.end(), IsText);
  if (!right) return WrongMember(member, "a list of non-empty strings");
  *to = value.get<std::vector<std::string>>();
  return Status();
}

Status ReadVariables(const Json& value, JobEnvironment* environment) {
  constexpr std::string_view kAccepted = "an object of strings, keyed by variable name";
  if (!value.is_object()) return WrongMember("env", kAccepted);
  for (const auto& [name, text] : value.items()) {
    const bool named = !name.empty() && name.find('=') == std::string::npos &&
                       name.find('\0') == std::string::npos;
    const bool right = named && text.is_string() &&
                       text.get_ref<const std::string&>().find('\0') == std::string::npos;
    if (!right) return WrongMember("env." + name, kAccepted);
    environment->variables.emplace_back(name, text.get<std::string>());
  }
  return Status();
}

Status ReadContainer(const Json& value, JobEnvironment* environment) {
  if (!value.is_object())
    return WrongMember("container", "an object with \"runtime\" and \"image\"");
  JobEnvironment::Container container;
  for (const auto& [key, member] : value.items()) {
    Status status = WrongMember("container." + key, "\"runtime\", \"image\" or \"options\"");
    if (key == "runtime") status = ReadText(member, "container.runtime", &container.runtime);
    if (key == "image") status = ReadText(member, "container.image", &container.image);
    if (key == "options") status = ReadTexts(member, "container.options", &container.options);
    if (!status.ok()) return status;
  }
  if (container.runtime != "podman" && container.runtime != "docker") {
    return WrongMember("container.runtime", "\"podman\" or \"docker\"");
  }
  // An image that looks like an option would become one.
  if (container.image.empty() || container.image.starts_with('-')) {
    return WrongMember("container.image", "an image name");
  }
  environment->container = std::move(container);
  return Status();
}

Status ReadMember(const std::string& key, const Json& value, JobEnvironment* environment) {
  if (key == "name") return ReadText(value, key, &environment->name);
  if (key == "images") return ReadTexts(value, key, &environment->images);
  if (key == "python") return ReadText(value, key, &environment->python);
  if (key == "command") return ReadTexts(value, key, &environment->command);
  if (key == "container") return ReadContainer(value, environment);
  if (key == "env") return ReadVariables(value, environment);
  return WrongMember(key,
                     "\"name\", \"images\", \"python\", \"command\", \"container\" or \"env\"");
}

Result<JobEnvironment> ReadEnvironment(const Json& json) {
  if (!json.is_object()) return Status(Code::kInvalid, "expected an object");
  JobEnvironment environment;
  for (const auto& [key, value] : json.items()) {
    if (Status status = ReadMember(key, value, &environment); !status.ok()) return status;
  }
  if (environment.name.empty()) return WrongMember("name", "a non-empty string");
  if (environment.images.empty()) return WrongMember("images", "a list of at least one pattern");
  const int kinds = (environment.python.empty() ? 0 : 1) + (environment.command.empty() ? 0 : 1) +
                    (environment.container ? 1 : 0);
  if (kinds != 1) {
    return Status(Code::kInvalid,
                  "expected exactly one of: \"python\", \"command\", \"container\"");
  }
  return environment;
}

}  // namespace

Result<Environments> Environments::Load(const std::string& path, bool must_exist) {
  const auto text = os::ReadWholeFile(path);
  if (!text && !must_exist) return Environments();
  if (!text) return Status(Code::kInvalid, fmt::format("cannot read {}", path));
  auto environments = Parse(*text);
  if (!environments.ok()) {
    return Status(Code::kInvalid, fmt::format("{}: {}", path, environments.status().message()));
  }
  return environments;
}

Result<Environments> Environments::Parse(std::string_view text) {
  const auto json = ParseJson(text);
  if (!json.ok()) return json.status();
  const bool right = json.value().is_object() && json.value().size() == 1 &&
                     json.value().contains("environments") &&
                     json.value()["environments"].is_array();
  if (!right) return Status(Code::kInvalid, "expected {\"environments\": [...]}");
  Environments environments;
  std::set<std::string> names;
  for (const Json& entry : json.value()["environments"]) {
    auto environment = ReadEnvironment(entry);
    const std::string where = fmt::format("environments[{}]", environments.all_.size());
    if (!environment.ok()) return environment.status().WithContext(where);
    if (!names.insert(environment.value().name).second) {
      return Status(Code::kInvalid,
                    fmt::format("{}: duplicate name '{}'", where, environment.value().name));
    }
    environments.all_.push_back(std::move(environment.value()));
  }
  return environments;
}

const JobEnvironment* Environments::Find(const std::string& image) const {
  for (const JobEnvironment& environment : all_) {
    for (const std::string& pattern : environment.images) {
      if (fnmatch(pattern.c_str(), image.c_str(), 0) == 0) return &environment;
    }
  }
  return nullptr;
}

std::string Environments::KnownImages() const {
  std::string known;
  for (const JobEnvironment& environment : all_) {
    for (const std::string& pattern : environment.images) {
      known += fmt::format("{}'{}'", known.empty() ? "" : ", ", pattern);
    }
  }
  return known;
}

}  // namespace warden::jobs
