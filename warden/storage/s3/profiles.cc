#include "warden/storage/s3/profiles.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "warden/base/strings.h"
#include "warden/os/whole_file.h"

namespace warden::storage::s3 {
namespace {

constexpr size_t kMostFileBytes = 1 << 20;

// "  profile   x " as "profile x".
std::string WithSingleBlanks(std::string_view text) {
  return fmt::format("{}", fmt::join(SplitTrimmed(text, ' '), " "));
}

std::map<std::string, Profile> ReadProfilesFile(const Variables& variables, const char* variable,
                                                std::string_view usual) {
  std::string path = variables(variable);
  const std::string home = variables("HOME");
  if (path.empty()) path = home.empty() ? "" : fmt::format("{}/.aws/{}", home, usual);
  if (path.starts_with("~/")) path = home + path.substr(1);
  if (path.empty()) return {};
  return ParseProfiles(os::ReadPlainFile(path, kMostFileBytes).value_or(""));
}

// Moves a section out of its file; false if there is none.
bool TakeSection(std::map<std::string, Profile>* file, const std::string& name, Profile* section) {
  const auto found = file->find(name);
  if (found == file->end()) return false;
  *section = std::move(found->second);
  return true;
}

}  // namespace

Variables ProcessVariables() {
  return [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
}

std::map<std::string, Profile> ParseProfiles(std::string_view text) {
  std::map<std::string, Profile> profiles;
  Profile* profile = nullptr;
  std::string outer;  // The setting that indented lines belong to.
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    const std::string_view content = Trim(line);
    if (content.empty() || content.front() == '#' || content.front() == ';') continue;
    if (content.front() == '[') {
      const size_t close = content.find(']');
      profile = close == content.npos ? nullptr
                                      : &profiles[WithSingleBlanks(content.substr(1, close - 1))];
      outer.clear();
      continue;
    }
    const size_t equals = content.find('=');
    if (profile == nullptr || equals == content.npos) continue;
    std::string name = LowerAscii(Trim(content.substr(0, equals)));
    const std::string_view value = Trim(content.substr(equals + 1));
    const bool indented = line.front() == ' ' || line.front() == '\t';
    if (indented && !outer.empty()) {
      name = fmt::format("{}.{}", outer, name);
    } else {
      outer = value.empty() ? name : "";
    }
    profile->insert_or_assign(std::move(name), std::string(value));
  }
  return profiles;
}

ChosenProfile ReadProfile(const Variables& variables) {
  ChosenProfile chosen;
  chosen.name = variables("AWS_PROFILE");
  if (chosen.name.empty()) chosen.name = variables("AWS_DEFAULT_PROFILE");
  chosen.by_name = !chosen.name.empty();
  if (!chosen.by_name) chosen.name = "default";
  auto keys = ReadProfilesFile(variables, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
  auto settings = ReadProfilesFile(variables, "AWS_CONFIG_FILE", "config");
  const bool has_keys = TakeSection(&keys, chosen.name, &chosen.keys);
  const bool has_settings =
      TakeSection(&settings, "profile " + chosen.name, &chosen.settings) ||
      (chosen.name == "default" && TakeSection(&settings, "default", &chosen.settings));
  chosen.found = has_keys || has_settings;
  if (const auto services = chosen.settings.find("services"); services != chosen.settings.end()) {
    Profile section;
    TakeSection(&settings, "services " + services->second, &section);
    for (auto& [name, value] : section) chosen.settings["services." + name] = std::move(value);
  }
  return chosen;
}

}  // namespace warden::storage::s3
