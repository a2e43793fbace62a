#include "warden/cli/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "warden/base/strings.h"

namespace warden::cli {
namespace {

std::optional<Mode> ModeOfText(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return ParseMode(text);
}

std::string CheckMode(const std::string& text) {
  if (ModeOfText(text)) return "";
  return fmt::format("unknown mode '{}'; expected one of: TRAIN, EVAL, PREDICT, GLOBAL", text);
}

std::string CheckStep(const std::string& text) {
  const auto number = ParseInt(text);
  if (number && *number >= 0) return "";
  return fmt::format("step is '{}'; expected an integer of at least 0", text);
}

CLI::Validator StepNumber() { return CLI::Validator(CheckStep, ""); }

}  // namespace

void Command::Positional(const std::string& name, std::string* value, const std::string& doc) {
  app_->add_option(name, *value, doc)->required()->type_name("");
}

void Command::Positionals(const std::string& name, std::vector<std::string>* values,
                          const std::string& doc) {
  app_->add_option(name, *values, doc)->required()->type_name("");
}

void Command::OptionalPositionals(const std::string& name, std::vector<std::string>* values,
                                  const std::string& doc) {
  app_->add_option(name, *values, doc)->type_name("");
}

void Command::Switch(const std::string& name, bool* value, const std::string& doc) {
  app_->add_flag(name, *value, doc);
}

void Command::Text(const std::string& name, std::string* value, const std::string& doc) {
  app_->add_option(name, *value, doc);
}

void Command::Texts(const std::string& name, std::vector<std::string>* values,
                    const std::string& doc) {
  app_->add_option(name, *values, doc)->allow_extra_args(false);
}

void Command::Choice(const std::string& name, std::string* value, std::vector<std::string> choices,
                     const std::string& doc) {
  const std::string accepted = fmt::format("{}", fmt::join(choices, "|"));
  const auto check = [choices = std::move(choices)](const std::string& text) -> std::string {
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return "";
    return fmt::format("unknown value '{}'; expected one of: {}", text, fmt::join(choices, ", "));
  };
  app_->add_option(name, *value, doc)->check(CLI::Validator(check, ""))->type_name(accepted);
}

void Command::OnlyMode(Mode* mode, const std::string& doc) {
  const auto set = [mode](const std::string& text) { *mode = *ModeOfText(text); };
  app_->add_option_function<std::string>("--mode", set, doc)
      ->check(CLI::Validator(CheckMode, ""))
      ->type_name("TRAIN|EVAL|PREDICT|GLOBAL");
}

void Command::AtStep(std::optional<Step>* step, const std::string& doc) {
  const auto set = [step](const Step& number) { *step = number; };
  app_->add_option_function<Step>("--step", set, doc)->check(StepNumber())->type_name("N");
}

void Command::AtSteps(std::vector<Step>* steps, const std::string& doc) {
  app_->add_option("--step", *steps, doc)
      ->check(StepNumber())
      ->allow_extra_args(false)
      ->type_name("N");
}

void Command::Required(const std::string& name) { app_->get_option(name)->required(); }

void Command::Exclusive(std::initializer_list<const char*> names) {
  for (auto a = names.begin(); a != names.end(); ++a) {
    for (auto b = a + 1; b != names.end(); ++b) {
      app_->get_option(*a)->excludes(app_->get_option(*b));
    }
  }
}

void Command::Needs(const std::string& name, const std::string& needed) {
  app_->get_option(name)->needs(app_->get_option(needed));
}

void Command::Footer(const std::string& text) { app_->footer(text); }

void Command::OnChosen(Action action) {
  app_->callback([chosen = std::move(action), to = action_] { *to = chosen; });
}

}  // namespace warden::cli
