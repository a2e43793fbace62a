#include "warden/rules/catalog/spec_json.h"

#include "warden/base/json.h"
#include "warden/rules/catalog/registry.h"

namespace warden::rules {
namespace {

Json DefaultOf(const Param& param) {
  return param.default_text.empty() ? Json() : Json(std::string(param.default_text));
}

}  // namespace

std::string_view KindName(RuleKind kind) {
  switch (kind) {
    case RuleKind::kDebug: return "debug";
    case RuleKind::kProfiler: return "profiler";
    case RuleKind::kReport: return "report";
  }
  return "debug";
}

Json ToJson(const RuleSpec& spec) {
  Json parameters = Json::array();
  for (const Param& param : AllParams(spec)) {
    parameters.push_back({{"name", param.name},
                          {"type", ParamTypeName(param.type)},
                          {"default", DefaultOf(param)},
                          {"doc", param.doc},
                          {"accepted", AcceptedText(param)}});
  }
  return {
      {"name", spec.name}, {"kind", KindName(spec.kind)}, {"severity", SeverityName(spec.severity)},
      {"doc", spec.doc},   {"advice", spec.advice},       {"parameters", std::move(parameters)}};
}

}  // namespace warden::rules
