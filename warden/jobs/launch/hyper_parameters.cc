#include "warden/jobs/launch/hyper_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "warden/base/strings.h"

namespace warden::jobs {
namespace {

constexpr std::string_view kPlatformPrefix = "sagemaker_";
// Of a tuning job; the program is not asked for it.
constexpr std::string_view kTuningObjective = "_tuning_objective_metric";

std::string PythonNumber(double value) {
  if (value != value) return "nan";
  if (value == std::numeric_limits<double>::infinity()) return "inf";
  if (value == -std::numeric_limits<double>::infinity()) return "-inf";
  return DumpLikePython(value);
}

// A string as Python writes it inside lists and dictionaries.
std::string QuotedLikePython(const std::string& text) {
  const bool doubled = text.find('\'') != std::string::npos && text.find('"') == std::string::npos;
  const char quote = doubled ? '"' : '\'';
  std::string quoted(1, quote);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      quoted.append({'\\', c});
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\r') {
      quoted += "\\r";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + quote;
}

std::string PythonRepr(const Json& value) {
  if (value.is_string()) return QuotedLikePython(value.get_ref<const std::string&>());
  if (!value.is_array() && !value.is_object()) return PythonText(value);
  std::string text(1, value.is_array() ? '[' : '{');
  for (auto at = value.begin(); at != value.end(); ++at) {
    if (at != value.begin()) text += ", ";
    if (value.is_object()) text += QuotedLikePython(at.key()) + ": ";
    text += PythonRepr(*at);
  }
  return text + (value.is_array() ? ']' : '}');
}

std::vector<std::string> SortedKeys(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

// A dictionary is "a=1,b=2"; nothing is an empty word.
std::string ArgumentOf(const Json& value) {
  if (value.is_null()) return "";
  if (!value.is_object()) return PythonText(value);
  std::string text;
  for (const std::string& key : SortedKeys(value)) {
    if (!text.empty()) text += ',';
    text += key + "=" + PythonText(value[key]);
  }
  return text;
}

Json Decoded(const std::string& text) {
  // Python reads these three as numbers.
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  auto json = ParseJson(text);
  if (!json.ok()) return text;
  // A whole number of more digits than ours have: the text says it exactly.
  if (json.value().is_number_float() && text.find_first_of(".eE") == std::string::npos) return text;
  return std::move(json.value());
}

}  // namespace

std::string PythonText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "None";
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_number_float()) return PythonNumber(value.get<double>());
  if (value.is_array() || value.is_object()) return PythonRepr(value);
  return DumpLikePython(value);
}

std::string HyperParameters::Platform(std::string_view name) const {
  const auto found = platforms.find(std::string(name));
  return found != platforms.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<std::string> HyperParameters::Arguments() const {
  std::vector<std::string> words;
  for (const std::string& key : SortedKeys(users)) {
    words.push_back(key.empty() ? "" : (key.size() > 1 ? "--" : "-") + key);
    words.push_back(ArgumentOf(users[key]));
  }
  return words;
}

HyperParameters DecodeHyperParameters(const Json* given) {
  HyperParameters decoded;
  if (given == nullptr || !given->is_object()) return decoded;
  for (const auto& [key, value] : given->items()) {
    Json& to = key.starts_with(kPlatformPrefix) || key == kTuningObjective ? decoded.platforms
                                                                           : decoded.users;
    to[key] = value.is_string() ? Decoded(value.get<std::string>()) : value;
  }
  return decoded;
}

}  // namespace warden::jobs
