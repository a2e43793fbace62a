#ifndef WARDEN_RULES_PROFILER_PROFILER_FOR_TEST_H_
#define WARDEN_RULES_PROFILER_PROFILER_FOR_TEST_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "warden/base/json.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/profiler/profiler_rule.h"

// For the tests of profiler rules.
namespace warden::rules {

// What a test makes up of a machine and a timeline, seen by one rule.
class ProfilerRuleTest : public testing::Test {
 protected:
  static constexpr double kStart = 1'700'000'000;  // Seconds since 1970.

  // "LowGPUUtilization:patience=10". Fails the test if it is refused. of_preset: nobody has named
  // it.
  void Use(const std::string& text, bool of_preset = false) {
    std::vector<std::string> notices;
    auto configs = ParseRuleText(text);
    ASSERT_TRUE(configs.ok()) << configs.status().message();
    configs.value().at(0).of_preset = of_preset;
    auto rules = PrepareRules(configs.value(), &notices);
    ASSERT_TRUE(rules.ok()) << rules.status().message();
    prepared_ = std::make_unique<PreparedRule>(std::move(rules.value().at(0)));
    rule_ = prepared_->rule->AsProfilerRule();
    ASSERT_NE(rule_, nullptr);
    verdicts_ = std::make_unique<Verdicts>(prepared_->spec->advice);
  }

  // Why the rule is refused; empty if it is not.
  static std::string Refusal(const std::string& text) {
    std::vector<std::string> notices;
    auto configs = ParseRuleText(text);
    if (!configs.ok()) return configs.status().message();
    return PrepareRules(configs.value(), &notices).status().message();
  }

  // ---- The machine. Each sample comes half a second after the last one of its node.

  struct Machine {
    double cpu = timeline::kNotMeasured;
    double io_wait = timeline::kNotMeasured;
    double memory = timeline::kNotMeasured;
    double network = timeline::kNotMeasured;
    double training_cpu = timeline::kNotMeasured;
    int cores = 8;
    std::vector<double> gpus = {};  // Utilisation of gpu0, gpu1, ...
    std::vector<double> gpu_memory = {};
    std::string node = "algo-1";
  };

  void See(const Machine& machine, int times = 1) {
    for (int i = 0; i < times; ++i) {
      double& seconds = seconds_[machine.node];
      SeeAt(seconds, machine);
      seconds += 0.5;
    }
  }

  void SeeAt(double seconds, const Machine& machine) {
    timeline::NodeSample sample;
    sample.node = names_.IdOf(machine.node);
    sample.time_s = kStart + seconds;
    sample.cores = machine.cores;
    sample.cpu = machine.cpu;
    sample.io_wait = machine.io_wait;
    sample.memory = machine.memory;
    sample.network = machine.network;
    sample.training_cpu = machine.training_cpu;
    for (size_t i = 0; i < std::max(machine.gpus.size(), machine.gpu_memory.size()); ++i) {
      timeline::GpuSample& gpu = sample.gpus.emplace_back();
      gpu.name = names_.IdOf("gpu" + std::to_string(i));
      if (i < machine.gpus.size()) gpu.utilization = machine.gpus[i];
      if (i < machine.gpu_memory.size()) gpu.memory = machine.gpu_memory[i];
    }
    now_s_ = std::max(now_s_, seconds);
    rule_->See(sample, names_);
  }

  // ---- The timeline.

  // Seconds since kStart.
  timeline::Span SpanOf(const std::string& phase, const std::string& name, double start,
                        double seconds, const std::string& node = "algo-1-88") {
    timeline::Span span;
    span.phase = names_.IdOf(phase);
    span.name = names_.IdOf(name);
    span.node = names_.IdOf(node);
    span.source = timeline::Source::kPython;
    span.start_us = std::llround((kStart + start) * 1e6);
    span.duration_us = std::llround(seconds * 1e6);
    return span;
  }

  void See(const timeline::Span& span) {
    const double end = static_cast<double>(span.end_us()) / 1e6 - kStart;
    now_s_ = std::max(now_s_, end);
    rule_->See(span, names_);
  }

  void SeeStep(const std::string& mode, int64_t step, double start, double seconds,
               const std::string& node = "algo-1-88") {
    const std::string phase = "Step:ModeKeys." + mode;
    timeline::Span span = SpanOf(phase, phase, start, seconds, node);
    span.step = step;
    See(span);
  }

  // ---- The verdict.

  // At the moment of the last that was seen, or at another.
  void Evaluate() { EvaluateAt(now_s_); }
  void EvaluateAt(double seconds) {
    const int64_t now_us = std::llround((kStart + seconds) * 1e6);
    verdicts_->BeginMoment(now_us, -1);
    rule_->EvaluateSoFar(now_us, verdicts_.get());
    verdicts_->EndStep([](const Finding&) {});
  }
  void EvaluateAtEnd() {
    const int64_t now_us = std::llround((kStart + now_s_) * 1e6);
    verdicts_->BeginMoment(now_us, -1);
    rule_->EvaluateAtEnd(now_us, verdicts_.get());
    verdicts_->EndStep([](const Finding&) {});
  }

  const std::vector<Finding>& Findings() const { return verdicts_->findings(); }
  std::string WhyNot() const { return verdicts_->too_little(); }
  bool Evaluated() const { return verdicts_->coverage().steps > 0; }
  ProfilerResult TheResult() const { return rule_->Results().at(0); }
  Json Details() const { return *TheResult().details; }

  timeline::Names names_;
  std::unique_ptr<PreparedRule> prepared_;
  ProfilerRule* rule_ = nullptr;
  std::unique_ptr<Verdicts> verdicts_;
  std::map<std::string, double> seconds_;  // Of the next sample, by node.
  double now_s_ = 0;
};

// The names of an object's members, in their order.
inline std::vector<std::string> KeysOf(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_PROFILER_FOR_TEST_H_
