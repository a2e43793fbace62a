#include "warden/rules/profiler/profiler_rule.h"

#include "warden/base/json.h"

namespace warden::rules {

Json ToJson(const ProfilerResult& result) {
  Json json = Json::object();
  json["RuleTriggered"] = result.triggered;
  json["Violations"] = result.violations;
  json["Details"] = result.details == nullptr ? Json::object() : *result.details;
  json["Datapoints"] = result.datapoints;
  json["RuleParameters"] = result.parameters;
  return json;
}

}  // namespace warden::rules
