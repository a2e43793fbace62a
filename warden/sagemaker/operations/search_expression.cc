#include "warden/sagemaker/operations/search_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"

namespace warden::sagemaker::operations {
namespace {

// Of filters and expressions; each is asked for every job.
constexpr int kMostParts = 200;

constexpr std::string_view kMaps[] = {"HyperParameters", "Environment"};

// "2026-01-02T03:04:05[.678][Z]" or a day alone, as seconds since 1970.
std::optional<double> SecondsOf(const std::string& text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, end = 0;
  double second = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2d%n", &year, &month, &day, &end) != 3) {
    return std::nullopt;
  }
  std::string_view rest = std::string_view(text).substr(static_cast<size_t>(end));
  if (!rest.empty()) {
    if (std::sscanf(rest.data(), "%*1[T ]%2d:%2d:%lf%n", &hour, &minute, &second, &end) != 3) {
      return std::nullopt;
    }
    rest.remove_prefix(static_cast<size_t>(end));
    if (!rest.empty() && rest != "Z" && rest != "+00:00") return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<double>(days) * 86400 + hour * 3600 + minute * 60 + second;
}

std::optional<double> NumberOf(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return ParseDouble(value.get<std::string>());
  return std::nullopt;
}

std::string AsText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  return DumpLikePython(value);
}

// NaN is larger than all other numbers, and equal to itself: whatever is compared has an order.
int Sign(double a, double b) {
  if (std::isnan(a)) return std::isnan(b) ? 0 : 1;
  if (std::isnan(b)) return -1;
  return a < b ? -1 : (a > b ? 1 : 0);
}

void Collect(const Json& value, std::string_view name, std::vector<const Json*>* found) {
  if (value.is_array()) {
    for (const Json& element : value) Collect(element, name, found);
    return;
  }
  if (name.empty()) {
    found->push_back(&value);
    return;
  }
  const size_t dot = name.find('.');
  const Json* member = MemberOf(value, name.substr(0, dot));
  if (member == nullptr) return;
  const bool is_map =
      std::find(std::begin(kMaps), std::end(kMaps), name.substr(0, dot)) != std::end(kMaps);
  const std::string_view rest = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  if (!is_map || rest.empty()) return Collect(*member, rest, found);
  if (const Json* entry = MemberOf(*member, rest)) found->push_back(entry);
}

// The values of those elements of a list whose key has that name.
std::vector<const Json*> Named(const Json* list, const char* key, std::string_view name,
                               const char* value) {
  std::vector<const Json*> found;
  if (list == nullptr) return found;
  for (const Json& element : *list) {
    const Json* member = MemberOf(element, value);
    if (TextOf(MemberOf(element, key)) == name && member != nullptr) found.push_back(member);
  }
  return found;
}

bool Any(const std::vector<const Json*>& values, const std::string& text, bool (*holds)(int)) {
  return std::any_of(values.begin(), values.end(),
                     [&](const Json* value) { return holds(Compare(*value, text)); });
}

bool Contains(const std::vector<const Json*>& values, const std::string& text) {
  const std::string wanted = LowerAscii(text);
  return std::any_of(values.begin(), values.end(), [&](const Json* value) {
    return LowerAscii(AsText(*value)).find(wanted) != std::string::npos;
  });
}

bool Equals(const std::vector<const Json*>& values, const std::string& text) {
  return Any(values, text, [](int order) { return order == 0; });
}

bool MatchesFilter(const Json& filter, const Json& record, std::string_view prefix = "") {
  std::string name = TextOf(MemberOf(filter, "Name"));
  if (!prefix.empty() && name.starts_with(prefix)) name.erase(0, prefix.size());
  const std::string by = TextOf(MemberOf(filter, "Operator"));
  const std::string text = TextOf(MemberOf(filter, "Value"));
  const std::vector<const Json*> values = ValuesAt(record, name);
  if (by == "Exists") return !values.empty();
  if (by == "NotExists") return values.empty();
  if (by == "NotEquals") return !Equals(values, text);
  if (by == "GreaterThan") return Any(values, text, [](int order) { return order > 0; });
  if (by == "GreaterThanOrEqualTo") return Any(values, text, [](int order) { return order >= 0; });
  if (by == "LessThan") return Any(values, text, [](int order) { return order < 0; });
  if (by == "LessThanOrEqualTo") return Any(values, text, [](int order) { return order <= 0; });
  if (by == "Contains") return Contains(values, text);
  if (by != "In") return Equals(values, text);
  const std::vector<std::string> choices = SplitTrimmed(text, ',');
  return std::any_of(choices.begin(), choices.end(),
                     [&](const std::string& choice) { return Equals(values, choice); });
}

// One element of the list has to hold all of it.
bool MatchesNested(const Json& nested, const Json& record) {
  const std::string name = TextOf(MemberOf(nested, "NestedPropertyName"));
  const Json* list = &record;
  for (const std::string& part : SplitTrimmed(name, '.')) {
    list = list == nullptr ? nullptr : MemberOf(*list, part);
  }
  const Json* filters = MemberOf(nested, "Filters");
  if (list == nullptr || !list->is_array() || filters == nullptr) return false;
  return std::any_of(list->begin(), list->end(), [&](const Json& element) {
    return std::all_of(filters->begin(), filters->end(), [&](const Json& filter) {
      return MatchesFilter(filter, element, name + ".");
    });
  });
}

std::optional<ApiError> CheckFilters(const Json* filters, int* parts) {
  if (filters == nullptr) return std::nullopt;
  for (const Json& filter : *filters) {
    if (++*parts > kMostParts) break;
    const std::string by = TextOf(MemberOf(filter, "Operator"));
    const bool wants_value = by != "Exists" && by != "NotExists";
    if (wants_value == (MemberOf(filter, "Value") != nullptr)) continue;
    return ValidationError(fmt::format(
        "The filter on {} {} a Value with the operator {}", TextOf(MemberOf(filter, "Name")),
        wants_value ? "needs" : "cannot have", by.empty() ? "Equals" : by));
  }
  return std::nullopt;
}

std::optional<ApiError> CheckParts(const Json& expression, int* parts) {
  if (++*parts > kMostParts) {
    return ValidationError(
        fmt::format("A search can have at most {} filters and expressions", kMostParts));
  }
  if (auto error = CheckFilters(MemberOf(expression, "Filters"), parts)) return error;
  if (const Json* nested = MemberOf(expression, "NestedFilters")) {
    for (const Json& each : *nested) {
      if (auto error = CheckFilters(MemberOf(each, "Filters"), parts)) return error;
    }
  }
  if (const Json* expressions = MemberOf(expression, "SubExpressions")) {
    for (const Json& each : *expressions) {
      if (auto error = CheckParts(each, parts)) return error;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<const Json*> ValuesAt(const Json& record, std::string_view name) {
  if (name.starts_with("Tags.")) {
    return Named(MemberOf(record, "Tags"), "Key", name.substr(5), "Value");
  }
  if (name.starts_with("Metrics.")) {
    return Named(MemberOf(record, "FinalMetricDataList"), "MetricName", name.substr(8), "Value");
  }
  std::vector<const Json*> found;
  Collect(record, name, &found);
  return found;
}

int Compare(const Json& value, const std::string& text) {
  const auto number = NumberOf(value);
  auto wanted = ParseDouble(text);
  if (number && !wanted && value.is_number()) wanted = SecondsOf(text);
  if (number && wanted) return Sign(*number, *wanted);
  return AsText(value).compare(text);
}

int Compare(const Json& a, const Json& b) {
  const auto first = NumberOf(a), second = NumberOf(b);
  if (first && second) return Sign(*first, *second);
  // Or "2" < "10" < "1a" < "2": sorting needs that there is a first one.
  if (first || second) return first ? -1 : 1;
  return AsText(a).compare(AsText(b));
}

std::optional<ApiError> CheckExpression(const Json& expression) {
  int parts = 0;
  if (auto error = CheckParts(expression, &parts)) return error;
  if (parts <= kMostParts) return std::nullopt;
  return ValidationError(
      fmt::format("A search can have at most {} filters and expressions", kMostParts));
}

bool Matches(const Json& expression, const Json& record) {
  const bool any = TextOf(MemberOf(expression, "Operator")) == "Or";
  // The first part that decides ends it: one that holds for Or, one that does not for And.
  const auto decided = [&](const char* name, bool (*matches)(const Json&, const Json&)) {
    const Json* parts = MemberOf(expression, name);
    return parts != nullptr && std::any_of(parts->begin(), parts->end(), [&](const Json& part) {
             return matches(part, record) == any;
           });
  };
  const bool is_decided =
      decided("Filters",
              [](const Json& part, const Json& of) { return MatchesFilter(part, of); }) ||
      decided("NestedFilters", &MatchesNested) || decided("SubExpressions", &Matches);
  if (is_decided) return any;
  // Without any part everything is found.
  const bool empty = !expression.contains("Filters") && !expression.contains("NestedFilters") &&
                     !expression.contains("SubExpressions");
  return !any || empty;
}

}  // namespace warden::sagemaker::operations
