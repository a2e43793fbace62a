#include "warden/trial/run_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/os/whole_file.h"
#include "warden/storage/store.h"

namespace warden::trial {
namespace {

constexpr char kRunRecordFile[] = "warden/run.json";
constexpr size_t kMostRunRecordBytes = 16 << 20;  // A command line has no more.

std::optional<double> Seconds(const Json* member) {
  if (member == nullptr || !member->is_number()) return std::nullopt;
  return member->get<double>();
}

std::optional<int64_t> Integer(const Json* member) {
  if (member == nullptr || !member->is_number_integer()) return std::nullopt;
  return member->get<int64_t>();
}

}  // namespace

std::string RunRecord::CommandLine() const { return fmt::format("{}", fmt::join(command, " ")); }

std::map<std::string, std::string> RunRecord::HyperParameters() const {
  std::map<std::string, std::string> values;
  for (size_t i = 0; i < command.size(); ++i) {
    const std::string& word = command[i];
    const size_t equals = word.find('=');
    const size_t dashes = word.find_first_not_of('-');
    if (dashes == std::string::npos) continue;
    if (equals != std::string::npos && equals > dashes) {
      values[word.substr(dashes, equals - dashes)] = word.substr(equals + 1);
    } else if (dashes == 2) {
      const bool has_value = i + 1 < command.size() && !command[i + 1].starts_with("--");
      values[word.substr(dashes)] = has_value ? command[++i] : "true";
    }
  }
  return values;
}

std::string RunRecord::Script() const {
  if (command.empty()) return "";
  for (size_t i = 1; i < command.size(); ++i) {
    if (command[i].ends_with(".py")) return command[i];
    // Launchers such as torchrun have options of their own in front of it.
    if (command[i] == "-m" && i + 1 < command.size()) return command[i + 1];
  }
  return command.front();
}

bool IsSameScript(const std::string& a, const std::string& b) {
  const std::filesystem::path first(a), second(b);
  if (a.empty() || b.empty()) return false;
  if (first.is_absolute() && second.is_absolute()) {
    return first.lexically_normal() == second.lexically_normal();
  }
  return first.filename() == second.filename();
}

std::string LogFolder(const std::string& run) { return fmt::format("{}/{}", run, kLogFolder); }

std::optional<RunRecord> ReadRunRecord(const std::string& run) {
  const auto text = os::ReadPlainFileInside(run, kRunRecordFile, kMostRunRecordBytes);
  if (!text) return std::nullopt;
  const auto json = ParseJson(*text);
  const Json* command = json.ok() ? MemberOf(json.value(), "command") : nullptr;
  if (command == nullptr || !command->is_array()) return std::nullopt;
  RunRecord record;
  for (const Json& word : *command) record.command.push_back(TextOf(&word));
  record.started = Seconds(MemberOf(json.value(), "started"));
  record.ended = Seconds(MemberOf(json.value(), "ended"));
  record.exit_code = Integer(MemberOf(json.value(), "exit_code"));
  record.signal = Integer(MemberOf(json.value(), "signal"));
  return record;
}

Status WriteRunRecord(const std::string& run, const RunRecord& record) {
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(); };
  Json json{{"command", record.command}, {"started", or_null(record.started)}};
  if (record.ended) {
    json["ended"] = *record.ended;
    json["exit_code"] = or_null(record.exit_code);
    json["signal"] = or_null(record.signal);
  }
  auto store = storage::OpenStore(run);
  if (!store.ok()) return store.status();
  return store.value()->Put(kRunRecordFile, AsBytes(DumpLikePython(json) + "\n"));
}

}  // namespace warden::trial
