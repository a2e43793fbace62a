#include "warden/watch/rule_choice.h"

#include <fmt/format.h>

#include <filesystem>

#include "warden/base/json.h"
#include "warden/os/whole_file.h"
#include "warden/rules/catalog/presets.h"

namespace warden::watch {
namespace {

using Configs = std::vector<rules::RuleConfig>;

Result<Configs> ReadRulesFile(const std::string& path) {
  const auto text = os::ReadWholeFile(path);
  if (!text) return Status(Code::kInvalid, fmt::format("cannot open {}", path));
  const auto json = ParseJson(*text);
  if (!json.ok())
    return Status(Code::kInvalid, fmt::format("{}: {}", path, json.status().message()));
  auto configs = rules::RuleConfigsFromJson(json.value());
  if (!configs.ok()) {
    return Status(Code::kInvalid, fmt::format("{}: {}", path, configs.status().message()));
  }
  // Paths of custom rules are relative to the file.
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (rules::RuleConfig& config : configs.value()) {
    if (config.source.empty() || config.source.find("://") != std::string::npos) continue;
    config.source = (folder / config.source).string();
  }
  return configs;
}

// A preset, a file, or the text of rules.
Result<Configs> RulesFrom(const std::string& text, const trial::Trial* trial) {
  // A parameter of a rule may be a file, too.
  if (text.ends_with(".json") && text.find('=') == text.npos) return ReadRulesFile(text);
  if (auto preset = rules::Preset(text, trial)) return std::move(*preset);
  return rules::ParseRuleText(text);
}

Status Append(Result<Configs> more, Configs* all) {
  if (!more.ok()) return more.status();
  all->insert(all->end(), std::make_move_iterator(more.value().begin()),
              std::make_move_iterator(more.value().end()));
  return Status();
}

}  // namespace

Result<Configs> ChooseRules(const RuleFlags& flags, const char* fallback,
                            const trial::Trial* trial) {
  Configs configs;
  Status status;
  for (const std::string& text : flags.rules) {
    status = Append(RulesFrom(text, trial), &configs);
    if (!status.ok()) return status.WithContext("--rules");
  }
  for (const std::string& text : flags.own) {
    status = Append(rules::ParseRuleText(text), &configs);
    if (!status.ok()) return status.WithContext("--rule");
  }
  if (!flags.file.empty()) status = Append(ReadRulesFile(flags.file), &configs);
  if (!status.ok()) return status.WithContext("--rules-file");
  const bool asked = !flags.rules.empty() || !flags.own.empty() || !flags.file.empty();
  if (!asked) configs = *rules::Preset(fallback, trial);
  const auto acting = static_cast<std::ptrdiff_t>(configs.size());
  for (const std::string& text : flags.shadow) {
    status = Append(RulesFrom(text, trial), &configs);
    if (!status.ok()) return status.WithContext("--shadow");
  }
  for (auto shadow = configs.begin() + acting; shadow != configs.end(); ++shadow) {
    shadow->shadow = true;
  }
  return configs;
}

void AddReportRule(Configs* configs) {
  if (auto report = rules::ReportRule(*configs)) configs->push_back(std::move(*report));
}

std::set<std::string> NamedRules(const std::vector<rules::PreparedRule>& rules) {
  std::set<std::string> names;
  for (const rules::PreparedRule& rule : rules) {
    if (!rule.config.of_preset) names.insert(rule.config.name);
  }
  return names;
}

Status SaveForRules(const std::vector<rules::PreparedRule>& rules, config::LaunchConfig* config) {
  std::vector<config::NeededCollection> needed;
  for (const rules::PreparedRule& rule : rules) {
    if (rule.config.of_preset) continue;
    for (const rules::Saves& saves : rule.spec->saves) {
      needed.push_back(
          {std::string(saves.collection), std::string(saves.include_regex), saves.whole_tensors});
    }
  }
  return config::AddCollections(needed, config);
}

}  // namespace warden::watch
