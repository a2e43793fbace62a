#include "warden/jobs/launch/boxed.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/jobs/launch/box_json.h"
#include "warden/jobs/launch/start_program.h"
#include "warden/os/box.h"
#include "warden/os/program.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

struct ProgramInBox {
  os::Box box;
  os::Program program;
};

Result<std::vector<std::string>> TextsOf(const Json* list, const char* what) {
  std::vector<std::string> texts;
  if (list != nullptr && list->is_array()) {
    for (const Json& each : *list) texts.push_back(TextOf(&each));
  }
  if (!texts.empty()) return texts;
  return Status(Code::kCorrupt, fmt::format("{} is missing or invalid", what));
}

Result<ProgramInBox> ReadBoxed(const std::string& file, const std::string& words) {
  const auto text = os::ReadWholeFile(file);
  if (!text) return Status(Code::kNotFound, "cannot read " + file);
  const auto json = ParseJson(*text);
  if (!json.ok()) return json.status().WithContext(file);
  const Json* described = MemberOf(json.value(), "box");
  auto box = BoxFromJson(described == nullptr ? Json() : *described);
  if (!box.ok()) return box.status().WithContext(file);
  ProgramInBox boxed{std::move(box.value()), {}};
  boxed.program.folder = TextOf(MemberOf(json.value(), "directory"));
  const auto given = words.empty() ? Result<Json>(Json()) : ParseJson(words);
  if (!given.ok()) return given.status().WithContext("the command");
  const Json* list = words.empty() ? MemberOf(json.value(), "words") : &given.value();
  auto own = TextsOf(list, "the command");
  if (!own.ok()) return own.status().WithContext(file);
  boxed.program.words = std::move(own.value());
  if (!words.empty()) return boxed;
  auto environment = TextsOf(MemberOf(json.value(), "environment"), "environment");
  if (!environment.ok()) return environment.status().WithContext(file);
  boxed.program.files = FilesFor(boxed.program.words.front(), environment.value());
  boxed.program.environment = std::move(environment.value());
  return boxed;
}

}  // namespace

int RunBoxed(const std::string& file, const std::string& words) {
  auto boxed = ReadBoxed(file, words);
  if (!boxed.ok()) {
    fmt::print(stderr, "{}\n", boxed.status().message());
    return 1;
  }
  os::RunInBox(boxed.value().box, std::move(boxed.value().program));
}

std::vector<std::string> BoxedCommand(const std::string& program, const std::string& file) {
  return {program, "agent", "boxed", file};
}

}  // namespace warden::jobs
