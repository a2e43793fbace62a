#include "warden/rules/custom/python_rule.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <set>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/rules/catalog/registry.h"
#include "warden/rules/custom/find_python.h"
#include "warden/rules/custom/worker_process.h"

namespace warden::rules {
namespace {

constexpr char kTimeout[] = "timeout_seconds";
constexpr int kMostLines = 1000;  // Of what it prints, in our log.
constexpr size_t kMostNotes = 20;

constexpr Param kTimeoutParam = {
    kTimeout, ParamType::kNumber, "60", "Maximum time per step, in seconds", 0.001, 86400};

std::vector<Param> PythonRuleParams() {
  std::vector<Param> known(CommonParams().begin(), CommonParams().end());
  known.push_back(kTimeoutParam);
  return known;
}

// Empty if it is not there.
std::string Text(const Json& answer, const char* key) {
  const auto found = answer.find(key);
  return found != answer.end() && found->is_string() ? found->get<std::string>() : "";
}

bool Flag(const Json& answer, const char* key) {
  const auto found = answer.find(key);
  return found != answer.end() && found->is_boolean() && found->get<bool>();
}

WorkerProcess::OnLine LogLinesOf(std::string rule) {
  return [rule = std::move(rule), count = 0](std::string_view line) mutable {
    if (++count <= kMostLines) LogInfo("{}: {}", rule, line);
    if (count == kMostLines) LogInfo("{}: further output is not logged", rule);
  };
}

class PythonRule : public Rule {
 public:
  PythonRule(std::string name, std::string doc, std::chrono::milliseconds timeout,
             std::unique_ptr<WorkerProcess> process)
      : spec_(std::move(name), std::move(doc), ""),
        timeout_(timeout),
        process_(std::move(process)) {}

  const RuleSpec& spec() const { return spec_.spec(); }

  std::vector<Selector> inputs() const override { return {{.all = true}}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    if (over_) return Status();
    if (!opened_) {
      std::string folder = step.trial().location();
      while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
      const auto answer = Ask({{"open", std::move(folder)}}, "while the rule was created");
      if (!answer.ok()) return answer.status();
      opened_ = true;
    }
    const auto answer = Ask({{"step", step.step()}}, fmt::format("at step {}", step.step()));
    if (!answer.ok()) return answer.status();
    Tell(answer.value(), step, verdicts);
    return Status();
  }

 private:
  Result<Json> Ask(const Json& request, const std::string& when) {
    auto answer = process_->Ask(request, timeout_);
    if (!answer.ok()) {
      return Status(answer.status().code(),
                    fmt::format("{}, the rule process {}", when, answer.status().message()));
    }
    if (!answer.value().contains("error")) return answer;
    process_.reset();
    return Status(Code::kInvalid, fmt::format("{}: {}\n{}", when, Text(answer.value(), "error"),
                                              Text(answer.value(), "traceback")));
  }

  void Tell(const Json& answer, const StepView& step, Verdicts* verdicts) {
    if (const std::string why = Text(answer, "skipped"); !why.empty()) {
      Note("some steps were not checked: " + why, verdicts);
      verdicts->TooLittle(
          fmt::format("not checked at step {}: {}", step.step(), Text(answer, "at_step")));
      return;
    }
    Cover(answer, step, verdicts);
    if (const std::string notice = Text(answer, "notice"); !notice.empty()) Note(notice, verdicts);
    if (Flag(answer, "fired")) verdicts->FireRun("", "", {.what = WhatOf(answer)});
    verdicts->HealthyRun();
    if (Flag(answer, "ends")) {
      over_ = true;
      process_.reset();
    }
  }

  static std::string WhatOf(const Json& answer) {
    std::string what = Text(answer, "message");
    if (what.empty()) what = "the rule's condition was met";
    const std::string details = Text(answer, "details");
    return details.empty() ? what : fmt::format("{}: {}", what, details);
  }

  // Whatever it has asked for counts as looked at.
  void Cover(const Json& answer, const StepView& step, Verdicts* verdicts) {
    if (const auto asked = answer.find("tensors"); asked != answer.end() && asked->is_array()) {
      for (const Json& name : *asked) {
        if (name.is_string()) asked_.insert(name.get<std::string>());
      }
    }
    for (const TensorView* tensor : step.Input(0)) {
      if (asked_.contains(tensor->name())) verdicts->Healthy(*tensor);
    }
  }

  void Note(const std::string& note, Verdicts* verdicts) {
    if (notes_.size() < kMostNotes && notes_.insert(note).second) verdicts->Note(note);
  }

  const OwnSpec spec_;
  const std::chrono::milliseconds timeout_;
  std::unique_ptr<WorkerProcess> process_;
  bool opened_ = false;
  bool over_ = false;  // It said that it has ended.
  std::set<std::string, std::less<>> asked_;
  std::set<std::string> notes_;
};

}  // namespace

Result<LoadedRule> LoadPythonRule(const RuleConfig& config, const std::string& title) {
  auto params = Params::ReadFree(title, PythonRuleParams(), config.params);
  if (!params.ok()) return params.status();
  const auto python = FindPython(OwnProgramFile());
  if (!python.ok()) return python.status().WithContext(title);
  auto process = WorkerProcess::Start({python.value(), "-m", "tensorwarden.rules.worker"},
                                      LogLinesOf(config.name));
  if (!process.ok()) return process.status().WithContext(title);

  const auto timeout =
      std::chrono::milliseconds(static_cast<int64_t>(params.value().Number(kTimeout) * 1000 + 0.5));
  std::error_code error;
  const Json request = {
      {"file", std::filesystem::absolute(config.source, error).lexically_normal().string()},
      {"class", config.rule},
      {"parameters", Json(params.value().given())}};
  const auto answer = process.value()->Ask(request, timeout);
  if (!answer.ok()) {
    return Status(Code::kInvalid,
                  fmt::format("{}: {} {}\nSet WARDEN_PYTHON to a Python that has tensorwarden "
                              "installed",
                              title, python.value(), answer.status().message()));
  }
  for (const char* key : {"refused", "error"}) {
    if (const std::string why = Text(answer.value(), key); !why.empty()) {
      return params.value().Refuse(why);
    }
  }
  std::string doc = Text(answer.value(), "doc");
  if (doc.empty()) doc = fmt::format("Rule from {}.", config.source);
  auto rule = std::make_unique<PythonRule>(config.rule, std::move(doc), timeout,
                                           std::move(process.value()));
  const RuleSpec* spec = &rule->spec();
  return LoadedRule{spec, std::move(params.value()), std::move(rule)};
}

}  // namespace warden::rules
