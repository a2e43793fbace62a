#include "warden/trial/run_marks.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/base/text/utf8.h"
#include "warden/os/whole_file.h"
#include "warden/storage/store.h"

namespace warden::trial {
namespace {

constexpr char kMarksFile[] = "warden/marks.json";
constexpr size_t kMostMarksBytes = 1 << 20;
constexpr size_t kLongestName = 200, kLongestTag = 64, kLongestNote = 10'000;  // Characters.
constexpr size_t kMostTags = 32;

size_t Characters(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !IsContinuation(byte); }));
}

bool HasControls(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}

// A value in a message, of which the first characters are enough.
std::string Quoted(const Json& value) {
  constexpr size_t kShown = 80;
  const std::string text = DumpLikePython(value);
  return text.size() <= kShown ? text : std::string(CutUtf8(text, kShown)) + "...";
}

Status Refused(std::string_view member, const Json& value, std::string_view accepted) {
  return Status(Code::kInvalid,
                fmt::format("{} is {}; expected {}", member, Quoted(value), accepted));
}

bool IsTag(std::string_view tag) {
  return !tag.empty() && Characters(tag) <= kLongestTag && !HasControls(tag) &&
         tag.find_first_of(" ,") == std::string_view::npos;
}

Status SetText(const Json& value, size_t longest, bool lines, std::string_view name,
               std::string* text) {
  const std::string given = TextOf(&value);
  const bool fits = value.is_string() && Characters(given) <= longest && IsUtf8(given) &&
                    (lines || !HasControls(given));
  if (!fits) {
    return Refused(
        name, value,
        fmt::format("text of at most {} characters{}", longest, lines ? "" : ", on one line"));
  }
  *text = lines ? given : std::string(Trim(given));
  return Status();
}

Status SetTags(const Json& value, std::vector<std::string>* tags) {
  const std::string accepted = fmt::format(
      "a list of at most {} tags, each of 1 to {} characters, without blanks and commas", kMostTags,
      kLongestTag);
  if (!value.is_array()) return Refused("tags", value, accepted);
  std::vector<std::string> given;
  for (const Json& tag : value) {
    given.push_back(TextOf(&tag));
    if (!IsUtf8(given.back()) || !IsTag(given.back())) return Refused("tags", value, accepted);
  }
  std::sort(given.begin(), given.end());
  given.erase(std::unique(given.begin(), given.end()), given.end());
  if (given.size() > kMostTags) return Refused("tags", value, accepted);
  *tags = std::move(given);
  return Status();
}

Status SetSwitch(const Json& value, std::string_view name, bool* on) {
  if (!value.is_boolean()) return Refused(name, value, "true or false");
  *on = value.get<bool>();
  return Status();
}

Status SetMark(const std::string& name, const Json& value, RunMarks* marks) {
  if (name == "display_name") {
    return SetText(value, kLongestName, /*lines=*/false, name, &marks->display_name);
  }
  if (name == "note") return SetText(value, kLongestNote, /*lines=*/true, name, &marks->note);
  if (name == "tags") return SetTags(value, &marks->tags);
  if (name == "archived") return SetSwitch(value, name, &marks->archived);
  if (name == "baseline") return SetSwitch(value, name, &marks->baseline);
  return Status(Code::kInvalid, fmt::format("unknown member {}; expected display_name, tags, note, "
                                            "archived or baseline",
                                            Quoted(Json(name))));
}

}  // namespace

Json ToJson(const RunMarks& marks) {
  return {{"display_name", marks.display_name},
          {"tags", marks.tags},
          {"note", marks.note},
          {"archived", marks.archived},
          {"baseline", marks.baseline}};
}

Result<RunMarks> ChangeMarks(const RunMarks& marks, const Json& changes) {
  RunMarks changed = marks;
  if (!changes.is_object()) return Status(Code::kInvalid, "invalid marks; expected a JSON object");
  for (const auto& [name, value] : changes.items()) {
    if (Status status = SetMark(name, value, &changed); !status.ok()) return status;
  }
  return changed;
}

RunMarks ReadRunMarks(const std::string& folder) {
  RunMarks marks;
  const auto text = os::ReadPlainFileInside(folder, kMarksFile, kMostMarksBytes);
  const auto json = text ? ParseJson(*text) : Result<Json>(Json());
  if (!json.ok() || !json.value().is_object()) return marks;
  // One by one: what a later version adds, or somebody has edited badly, does not spoil the rest.
  for (const auto& [name, value] : json.value().items()) (void)SetMark(name, value, &marks);
  return marks;
}

Status WriteRunMarks(const std::string& folder, const RunMarks& marks) {
  auto store = storage::OpenStore(folder);
  if (!store.ok()) return store.status();
  return store.value()->Put(kMarksFile, AsBytes(DumpLikePython(ToJson(marks)) + "\n"));
}

}  // namespace warden::trial
