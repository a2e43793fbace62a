#include "warden/rules/custom/shared_object_rule.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <deque>
#include <filesystem>

#include "warden/rules/catalog/registry.h"
#include "warden/rules/custom/warden_rule.h"
#include "warden/rules/finite_statistics.h"

namespace warden::rules {
namespace {

constexpr char kSymbol[] = "warden_rules";
constexpr std::string_view kNotNumbers = "contains strings, not numbers";

struct Unload {
  void operator()(void* object) const { dlclose(object); }
};
using SharedObject = std::unique_ptr<void, Unload>;

std::optional<WardenDType> ToC(DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return kWardenFloat16;
    case DType::kBFloat16: return kWardenBFloat16;
    case DType::kFloat32: return kWardenFloat32;
    case DType::kFloat64: return kWardenFloat64;
    case DType::kInt8: return kWardenInt8;
    case DType::kInt16: return kWardenInt16;
    case DType::kInt32: return kWardenInt32;
    case DType::kInt64: return kWardenInt64;
    case DType::kUInt8: return kWardenUInt8;
    case DType::kUInt16: return kWardenUInt16;
    case DType::kUInt32: return kWardenUInt32;
    case DType::kUInt64: return kWardenUInt64;
    case DType::kBool: return kWardenBool;
    case DType::kComplex64: return kWardenComplex64;
    case DType::kComplex128: return kWardenComplex128;
    case DType::kString: break;
  }
  return std::nullopt;
}

std::string TextOf(const char* text) { return text == nullptr ? "" : text; }

std::string MessageOf(char (&message)[kWardenMessageSize]) {
  message[kWardenMessageSize - 1] = '\0';
  return message;
}

// The tensors of one step as a rule in C sees them, and what keeps them there.
class CTensors {
 public:
  void Add(TensorView* view, const trial::TensorValue& value, WardenDType dtype) {
    const std::string& name = texts_.emplace_back(view->name());
    const std::string& worker = texts_.emplace_back(view->worker());
    tensors_.push_back({name.c_str(), worker.c_str(), dtype,
                        static_cast<int32_t>(value.shape.size()), value.shape.data(),
                        Aligned(value.data), value.ref().count()});
    views_.push_back(view);
  }

  const std::vector<WardenTensor>& tensors() const { return tensors_; }
  TensorView* view(size_t place) const { return views_[place]; }

 private:
  // Values may lie anywhere in a file.
  const void* Aligned(Bytes data) {
    constexpr size_t kUnit = sizeof(std::max_align_t);
    if (reinterpret_cast<uintptr_t>(data.data()) % alignof(std::max_align_t) == 0) {
      return data.data();
    }
    auto& copy = copies_.emplace_back((data.size() + kUnit - 1) / kUnit);
    std::memcpy(copy.data(), data.data(), data.size());
    return copy.data();
  }

  std::deque<std::string> texts_;
  std::deque<std::vector<std::max_align_t>> copies_;
  std::vector<WardenTensor> tensors_;
  std::vector<TensorView*> views_;
};

class SharedObjectRule : public Rule {
 public:
  // rule: made by the functions, which are the object's.
  SharedObjectRule(SharedObject object, const WardenRule& functions, void* rule, Selector input)
      : object_(std::move(object)),
        spec_(TextOf(functions.name), TextOf(functions.doc), TextOf(functions.advice)),
        functions_(functions),
        rule_(rule),
        input_(std::move(input)) {}
  ~SharedObjectRule() override { functions_.destroy(rule_); }

  const RuleSpec& spec() const { return spec_.spec(); }

  std::vector<Selector> inputs() const override { return {input_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    const CTensors shown = Shown(step, verdicts);
    if (shown.tensors().empty()) return Status();
    const std::string mode(ModeName(step.mode()));
    const WardenStep c_step = {step.step(), step.mode_step(), mode.c_str(), shown.tensors().data(),
                               shown.tensors().size()};
    WardenVerdict verdict{};
    verdict.tensor = -1;
    const int kind = functions_.check(rule_, &c_step, &verdict);
    const std::string message = MessageOf(verdict.message);
    switch (kind) {
      case kWardenHealthy:
      case kWardenFired: return Tell(kind == kWardenFired, verdict, message, shown, verdicts);
      case kWardenSkipped:
        verdicts->TooLittle(fmt::format("not checked at step {}: {}", step.step(), message));
        return Status();
      case kWardenError:
        return Status(Code::kInvalid, fmt::format("at step {}: {}", step.step(), message));
      default:
        return Status(Code::kInvalid,
                      fmt::format("at step {}: the rule returned {}; expected a WardenVerdictKind",
                                  step.step(), kind));
    }
  }

 private:
  static CTensors Shown(const StepView& step, Verdicts* verdicts) {
    CTensors shown;
    for (TensorView* view : step.Input(0)) {
      const trial::TensorValue* value = view->Raw();
      const auto dtype = value == nullptr ? std::nullopt : ToC(value->dtype);
      if (dtype) {
        shown.Add(view, *value, *dtype);
      } else {
        verdicts->Skip(*view, value == nullptr ? kNoRawValues : kNotNumbers);
      }
    }
    return shown;
  }

  static Status Tell(bool fired, const WardenVerdict& verdict, const std::string& message,
                     const CTensors& shown, Verdicts* verdicts) {
    const auto count = static_cast<int64_t>(shown.tensors().size());
    if (fired && (verdict.tensor < -1 || verdict.tensor >= count)) {
      return Status(Code::kInvalid, fmt::format("the rule returned tensor index {}; the step has "
                                                "{}",
                                                verdict.tensor, count));
    }
    const Evidence evidence{verdict.value, verdict.threshold,
                            message.empty() ? "the rule's condition was met" : message};
    for (int64_t i = 0; i < count; ++i) {
      TensorView* view = shown.view(static_cast<size_t>(i));
      if (fired && i == verdict.tensor) {
        verdicts->Fire(*view, evidence);
      } else {
        verdicts->Healthy(*view);
      }
    }
    if (fired && verdict.tensor == -1) verdicts->FireRun("", "", evidence);
    verdicts->HealthyRun();
    return Status();
  }

  const SharedObject object_;
  const OwnSpec spec_;
  const WardenRule functions_;
  void* const rule_;
  const Selector input_;
};

std::vector<Param> SharedObjectParams() {
  std::vector<Param> known(CommonParams().begin(), CommonParams().end());
  known.push_back(kCollectionNames);
  known.push_back(kTensorRegex);
  return known;
}

Status Refuse(const std::string& title, std::string_view why) {
  return Status(Code::kInvalid, fmt::format("{}: {}", title, why));
}

Result<WardenRule> FindIn(void* object, const std::string& name, const std::string& title) {
  using Function = const WardenRules* (*)();
  const auto function = reinterpret_cast<Function>(dlsym(object, kSymbol));
  if (function == nullptr) {
    return Refuse(title, fmt::format("the file does not export '{}' (see warden_rule.h)", kSymbol));
  }
  const WardenRules* rules = function();
  if (rules == nullptr) return Refuse(title, fmt::format("'{}' returned a null pointer", kSymbol));
  if (rules->version != kWardenRuleVersion) {
    return Refuse(title, fmt::format("interface version is {}; expected {}", rules->version,
                                     static_cast<int>(kWardenRuleVersion)));
  }
  std::vector<std::string> names;
  for (uint32_t i = 0; i < rules->count; ++i) {
    const WardenRule& rule = rules->rules[i];
    if (TextOf(rule.name) != name) {
      names.push_back(TextOf(rule.name));
    } else if (rule.create == nullptr || rule.check == nullptr || rule.destroy == nullptr) {
      return Refuse(title, "the rule does not define all its functions (see warden_rule.h)");
    } else {
      return rule;
    }
  }
  return Refuse(title,
                fmt::format("unknown rule '{}'; the file contains: {}", name,
                            names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

Result<void*> Create(const WardenRule& functions, const Params& params) {
  std::vector<WardenParam> own;
  for (const auto& [name, text] : params.given()) {
    const std::vector<Param> known = SharedObjectParams();
    const bool ours = std::any_of(known.begin(), known.end(),
                                  [&](const Param& param) { return param.name == name; });
    if (!ours) own.push_back({name.c_str(), text.c_str()});
  }
  char message[kWardenMessageSize] = "";
  void* rule = nullptr;
  if (functions.create(own.data(), own.size(), &rule, message) == 0) return rule;
  const std::string why = MessageOf(message);
  return params.Refuse(why.empty() ? "the rule rejected its parameters" : why);
}

}  // namespace

Result<LoadedRule> LoadSharedObjectRule(const RuleConfig& config, const std::string& title) {
  auto params = Params::ReadFree(title, SharedObjectParams(), config.params);
  if (!params.ok()) return params.status();
  std::error_code error;
  const std::string file = std::filesystem::absolute(config.source, error).string();
  SharedObject object(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (object == nullptr) return Refuse(title, fmt::format("cannot load: {}", dlerror()));
  const auto functions = FindIn(object.get(), config.rule, title);
  if (!functions.ok()) return functions.status();
  const auto made = Create(functions.value(), params.value());
  if (!made.ok()) return made.status();
  auto rule =
      std::make_unique<SharedObjectRule>(std::move(object), functions.value(), made.value(),
                                         SelectorFrom(params.value(), Selector{.all = true}));
  const RuleSpec* spec = &rule->spec();
  return LoadedRule{spec, std::move(params.value()), std::move(rule)};
}

}  // namespace warden::rules
