#include "warden/jobs/events/event_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/strings.h"

namespace warden::jobs {
namespace {

constexpr std::string_view kOperators[] = {"=", "<", "<=", ">", ">="};

Status Invalid(const std::string& place, std::string_view what) {
  return Status(Code::kInvalid, fmt::format("pattern{}: {}", place, what));
}

bool IsScalar(const Json& json) { return !json.is_object() && !json.is_array(); }

Status CheckNumeric(const Json& terms, const std::string& place) {
  const bool pairs = terms.is_array() && !terms.empty() && terms.size() % 2 == 0;
  for (size_t i = 0; pairs && i < terms.size(); i += 2) {
    const bool known =
        terms[i].is_string() && std::find(std::begin(kOperators), std::end(kOperators),
                                          terms[i].get<std::string>()) != std::end(kOperators);
    if (!known || !terms[i + 1].is_number())
      return Invalid(place, "numeric: expected pairs of one of =, <, <=, >, >= and a number");
  }
  return pairs ? Status()
               : Invalid(place, "numeric: expected a list such as [\">\", 0, \"<=\", 5]");
}

Status CheckAnythingBut(const Json& but, const std::string& place) {
  if (but.is_object() && but.size() == 1) {
    const bool text = but.begin().value().is_string();
    if ((but.contains("prefix") || but.contains("suffix")) && text) return Status();
  } else if (but.is_array()) {
    if (!but.empty() && std::all_of(but.begin(), but.end(), IsScalar)) return Status();
  } else if (!but.is_object()) {
    return Status();
  }
  return Invalid(place, "anything-but: expected a value, a list of values, or a prefix or suffix");
}

Status CheckMatcher(const Json& matcher, const std::string& place) {
  if (IsScalar(matcher)) return Status();
  if (matcher.is_object() && matcher.size() == 1) {
    const std::string& name = matcher.begin().key();
    const Json& value = matcher.begin().value();
    if (name == "prefix" || name == "suffix" || name == "equals-ignore-case") {
      return value.is_string() ? Status() : Invalid(place, name + ": expected a string");
    }
    if (name == "exists") {
      return value.is_boolean() ? Status() : Invalid(place, "exists: expected true or false");
    }
    if (name == "numeric") return CheckNumeric(value, place);
    if (name == "anything-but") return CheckAnythingBut(value, place);
  }
  return Invalid(place, fmt::format("got {}; expected a value or one of: prefix, suffix, "
                                    "equals-ignore-case, anything-but, exists, numeric",
                                    DumpLikePython(matcher)));
}

Status CheckObject(const Json& pattern, const std::string& place) {
  if (!pattern.is_object() || pattern.empty()) {
    return Invalid(place, "expected an object with at least one member");
  }
  for (const auto& [name, value] : pattern.items()) {
    const std::string inside = place + "." + name;
    if (!value.is_array()) {
      if (Status status = CheckObject(value, inside); !status.ok()) return status;
      continue;
    }
    if (value.empty()) return Invalid(inside, "an empty list matches nothing");
    for (const Json& matcher : value) {
      if (Status status = CheckMatcher(matcher, inside); !status.ok()) return status;
    }
  }
  return Status();
}

bool FitsNumeric(const Json& terms, const Json& value) {
  if (!value.is_number()) return false;
  const double number = value.get<double>();
  for (size_t i = 0; i < terms.size(); i += 2) {
    const auto& sign = terms[i].get_ref<const std::string&>();
    const double limit = terms[i + 1].get<double>();
    const bool fits = sign == "="    ? number == limit
                      : sign == "<"  ? number < limit
                      : sign == "<=" ? number <= limit
                      : sign == ">"  ? number > limit
                                     : number >= limit;
    if (!fits) return false;
  }
  return true;
}

bool FitsText(std::string_view kind, const Json& wanted, const Json& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  const auto& part = wanted.get_ref<const std::string&>();
  if (kind == "prefix") return text.starts_with(part);
  if (kind == "suffix") return text.ends_with(part);
  return LowerAscii(text) == LowerAscii(part);
}

bool IsAnythingBut(const Json& but, const Json& value) {
  if (but.is_object()) return !FitsText(but.begin().key(), but.begin().value(), value);
  if (!but.is_array()) return value != but;
  return std::find(but.begin(), but.end(), value) == but.end();
}

bool Fits(const Json& matcher, const Json& value) {
  if (!matcher.is_object()) return value == matcher;
  const std::string& kind = matcher.begin().key();
  const Json& wanted = matcher.begin().value();
  if (kind == "exists") return wanted.get<bool>();
  if (kind == "numeric") return FitsNumeric(wanted, value);
  if (kind == "anything-but") return IsAnythingBut(wanted, value);
  return FitsText(kind, wanted, value);
}

bool FitsAny(const Json& matchers, const std::vector<const Json*>& values) {
  for (const Json& matcher : matchers) {
    const bool absent =
        matcher.is_object() && matcher.contains("exists") && !matcher["exists"].get<bool>();
    if (absent ? values.empty() : std::any_of(values.begin(), values.end(), [&](const Json* value) {
          return Fits(matcher, *value);
        })) {
      return true;
    }
  }
  return false;
}

// The member of that name in each of the objects; lists count as what is in them.
std::vector<const Json*> Members(const std::vector<const Json*>& objects, const std::string& name) {
  std::vector<const Json*> members;
  for (const Json* object : objects) {
    if (!object->is_object()) continue;
    const auto member = object->find(name);
    if (member == object->end()) continue;
    if (!member->is_array()) {
      members.push_back(&*member);
      continue;
    }
    for (const Json& element : *member) members.push_back(&element);
  }
  return members;
}

bool Match(const Json& pattern, const std::vector<const Json*>& objects) {
  return std::all_of(pattern.items().begin(), pattern.items().end(), [&](const auto& item) {
    const std::vector<const Json*> values = Members(objects, item.key());
    return item.value().is_array() ? FitsAny(item.value(), values) : Match(item.value(), values);
  });
}

}  // namespace

Result<EventPattern> EventPattern::Parse(const Json& json) {
  if (Status status = CheckObject(json, ""); !status.ok()) return status;
  return EventPattern(std::make_shared<const Json>(json));
}

bool EventPattern::Matches(const Json& event) const { return Match(*json_, {&event}); }

}  // namespace warden::jobs
