#include "warden/rules/custom/python_rule.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <set>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/rules/catalog/registry.h"
#include "warden/rules/custom/asked_worker.h"
#include "warden/rules/custom/find_python.h"
#include "warden/rules/custom/python_profile_rule.h"
#include "warden/rules/custom/worker_process.h"

namespace warden::rules {
namespace {

constexpr char kTimeout[] = "timeout_seconds";
constexpr int kMostLines = 1000;  // Of what it prints, in our log.

constexpr Param kTimeoutParam = {
    kTimeout, ParamType::kNumber, "60", "Maximum time per step, in seconds", 0.001, 86400};

std::vector<Param> PythonRuleParams() {
  std::vector<Param> known(CommonParams().begin(), CommonParams().end());
  known.push_back(kTimeoutParam);
  return known;
}

WorkerProcess::OnLine LogLinesOf(std::string rule) {
  return [rule = std::move(rule), count = 0](std::string_view line) mutable {
    if (++count <= kMostLines) LogInfo("{}: {}", rule, line);
    if (count == kMostLines) LogInfo("{}: further output is not logged", rule);
  };
}

std::vector<std::string> WorkerCommand(const RuleConfig& config, const std::string& python) {
  std::error_code error;
  const std::string program = std::filesystem::absolute(python, error);
  std::vector<std::string> words = {program, "-m", "tensorwarden.rules.worker"};
  if (config.python_prefix.empty()) return words;
  std::vector<std::string> command = config.python_prefix;
  command.push_back(Json(words).dump());
  return command;
}

std::string FileForWorker(const RuleConfig& config) {
  if (!config.python_source.empty()) return config.python_source;
  std::error_code error;
  return std::filesystem::absolute(config.source, error).lexically_normal().string();
}

class PythonRule : public Rule {
 public:
  PythonRule(std::string name, std::string doc, Severity severity, AskedWorker worker)
      : spec_(std::move(name), std::move(doc), "", severity), worker_(std::move(worker)) {}

  const RuleSpec& spec() const { return spec_.spec(); }

  std::vector<Selector> inputs() const override { return {{.all = true}}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    if (over_) return Status();
    if (!opened_) {
      std::string folder = step.trial().location();
      while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
      const auto answer = worker_.Ask({{"open", std::move(folder)}}, "while the rule was created");
      if (!answer.ok()) return answer.status();
      opened_ = true;
    }
    const auto answer =
        worker_.Ask({{"step", step.step()}}, fmt::format("at step {}", step.step()));
    if (!answer.ok()) return answer.status();
    Tell(answer.value(), step, verdicts);
    return Status();
  }

 private:
  void Tell(const Json& answer, const StepView& step, Verdicts* verdicts) {
    if (const std::string why = TextIn(answer, "skipped"); !why.empty()) {
      worker_.Note("some steps were not checked: " + why, verdicts);
      verdicts->TooLittle(
          fmt::format("not checked at step {}: {}", step.step(), TextIn(answer, "at_step")));
      return;
    }
    Cover(answer, step, verdicts);
    worker_.Report(answer, verdicts);
    verdicts->HealthyRun();
    if (FlagIn(answer, "ends")) {
      over_ = true;
      worker_.End();
    }
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

  const OwnSpec spec_;
  AskedWorker worker_;
  bool opened_ = false;
  bool over_ = false;  // It said that it has ended.
  std::set<std::string, std::less<>> asked_;
};

}  // namespace

Result<LoadedRule> LoadPythonRule(const RuleConfig& config, const std::string& title) {
  auto params = Params::ReadFree(title, PythonRuleParams(), config.params);
  if (!params.ok()) return params.status();
  const auto python = FindPython(OwnProgramFile());
  if (!python.ok()) return python.status().WithContext(title);
  auto process =
      WorkerProcess::Start(WorkerCommand(config, python.value()), LogLinesOf(config.name));
  if (!process.ok()) return process.status().WithContext(title);

  const auto timeout =
      std::chrono::milliseconds(static_cast<int64_t>(params.value().Number(kTimeout) * 1000 + 0.5));
  const Json request = {{"file", FileForWorker(config)},
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
    if (const std::string why = TextIn(answer.value(), key); !why.empty()) {
      return params.value().Refuse(why);
    }
  }
  std::string doc = TextIn(answer.value(), "doc");
  if (doc.empty()) doc = fmt::format("Rule from {}.", config.source);
  const auto severity =
      ParseSeverity(TextIn(answer.value(), "severity")).value_or(Severity::kProblem);
  AskedWorker worker(std::move(process.value()), timeout);
  const auto loaded = [&](auto rule) {
    const RuleSpec* spec = &rule->spec();
    return LoadedRule{spec, std::move(params.value()), std::move(rule)};
  };
  if (!config.profile.empty()) {
    return loaded(
        std::make_unique<PythonProfileRule>(config, std::move(doc), severity, std::move(worker)));
  }
  return loaded(
      std::make_unique<PythonRule>(config.rule, std::move(doc), severity, std::move(worker)));
}

}  // namespace warden::rules
