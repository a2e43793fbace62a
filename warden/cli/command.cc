#include "warden/cli/command.h"

#include <fmt/format.h>

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
  return fmt::format("{}: accepted are TRAIN, EVAL, PREDICT and GLOBAL", text);
}

std::string CheckStep(const std::string& text) {
  const auto number = ParseInt(text);
  if (number && *number >= 0) return "";
  return fmt::format("{}: accepted is a whole number of at least 0", text);
}

}  // namespace

CLI::Option* AddRun(CLI::App* command, std::string* run) {
  return command->add_option("RUN", *run, "Folder of the run")->required();
}

void AddJson(CLI::App* command, bool* json) {
  command->add_flag("--json", *json, "Print JSON for programs");
}

CLI::Option* AddMode(CLI::App* command, Mode* mode, const std::string& doc) {
  return command
      ->add_option_function<std::string>(
          "--mode", [mode](const std::string& text) { *mode = *ModeOfText(text); }, doc)
      ->check(CLI::Validator(CheckMode, "TRAIN|EVAL|PREDICT|GLOBAL"))
      ->type_name("");
}

CLI::Option* AddStep(CLI::App* command, std::optional<Step>* step, const std::string& doc) {
  return command
      ->add_option_function<Step>("--step", [step](const Step& number) { *step = number; }, doc)
      ->check(StepNumber())
      ->type_name("");
}

CLI::Validator StepNumber() { return CLI::Validator(CheckStep, "N"); }

}  // namespace warden::cli
