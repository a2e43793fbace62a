#include "warden/monitor/node_name.h"

#include <cstdlib>

#include "warden/base/json.h"
#include "warden/monitor/source_file.h"

namespace warden::monitor {
namespace {

constexpr std::string_view kPrefix = "algo-";
constexpr char kDefault[] = "algo-1";
constexpr char kResourceConfig[] = "/opt/ml/input/config/resourceconfig.json";

std::string CurrentHost(const std::string& path) {
  const auto json = ParseJson(ReadSmallFile(path));
  if (!json.ok() || !json.value().is_object()) return "";
  const auto found = json.value().find("current_host");
  return found != json.value().end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

bool IsNodeName(std::string_view name) {
  if (!name.starts_with(kPrefix) || name.size() == kPrefix.size() || name.size() > 32) return false;
  return name.find_first_not_of("0123456789", kPrefix.size()) == std::string_view::npos;
}

std::string NodeName() {
  for (const char* variable : {"TENSORWARDEN_NODE", "SM_CURRENT_HOST"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && IsNodeName(value)) return value;
  }
  const std::string host = CurrentHost(kResourceConfig);
  return IsNodeName(host) ? host : kDefault;
}

}  // namespace warden::monitor
