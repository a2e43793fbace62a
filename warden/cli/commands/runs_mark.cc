#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/run.h"
#include "warden/cli/text.h"
#include "warden/dashboard/site/places.h"
#include "warden/trial/run_marks.h"

// The commands that mark runs differ in one member each, and share all else.

namespace warden::cli {
namespace {

struct MarkOptions {
  std::string run;
  std::vector<std::string> runs;
  std::vector<std::string> words;
  std::vector<std::string> remove;
  bool undo = false;
  bool json = false;
};

// Where the marks of a run are kept.
Result<std::string> MarksFolderOf(const std::string& run) {
  const auto places = dashboard::RunIn(run);
  if (!places) return Status(Code::kNotFound, fmt::format("no run in {}", run));
  return places->tensors;
}

void PrintMarks(const std::string& run, const trial::RunMarks& marks, bool json, Output* out) {
  if (json) {
    Json all = trial::ToJson(marks);
    all["run"] = run;
    out->PrintJson(all);
    return;
  }
  std::vector<std::string> parts;
  if (!marks.display_name.empty()) parts.push_back("name: " + Printable(marks.display_name));
  if (!marks.tags.empty()) parts.push_back(fmt::format("tags: {}", fmt::join(marks.tags, " ")));
  if (!marks.note.empty()) parts.push_back("note: " + Printable(marks.note));
  if (marks.archived) parts.emplace_back("archived");
  if (marks.baseline) parts.emplace_back("baseline");
  out->Print("{}: {}\n", Printable(run),
             parts.empty() ? "no marks" : fmt::format("{}", fmt::join(parts, "; ")));
}

// Without changes it only prints.
Status MarkRun(const std::string& run, const Json& changes, bool json, Output* out) {
  const auto folder = MarksFolderOf(run);
  if (!folder.ok()) return folder.status();
  const auto marks = trial::ChangeMarks(trial::ReadRunMarks(folder.value()), changes);
  if (!marks.ok()) return marks.status();
  if (!changes.empty()) {
    Status written = trial::WriteRunMarks(folder.value(), marks.value());
    if (!written.ok()) return written;
  }
  PrintMarks(run, marks.value(), json, out);
  return Status();
}

Result<int> DoneOr(const Status& status) {
  if (!status.ok()) return status;
  return kDone;
}

Result<int> TagRun(const MarkOptions& options, Output* out) {
  const auto folder = MarksFolderOf(options.run);
  if (!folder.ok()) return folder.status();
  Json changes = Json::object();
  if (!options.words.empty() || !options.remove.empty()) {
    std::vector<std::string> tags = trial::ReadRunMarks(folder.value()).tags;
    std::erase_if(tags, [&](const std::string& tag) {
      return std::ranges::find(options.remove, tag) != options.remove.end();
    });
    tags.insert(tags.end(), options.words.begin(), options.words.end());
    changes["tags"] = tags;
  }
  return DoneOr(MarkRun(options.run, changes, options.json, out));
}

Json TextChange(const MarkOptions& options, const char* member) {
  Json changes = Json::object();
  if (!options.words.empty()) changes[member] = fmt::format("{}", fmt::join(options.words, " "));
  return changes;
}

Result<int> NoteRun(const MarkOptions& options, Output* out) {
  return DoneOr(MarkRun(options.run, TextChange(options, "note"), options.json, out));
}

Result<int> RenameRun(const MarkOptions& options, Output* out) {
  return DoneOr(MarkRun(options.run, TextChange(options, "display_name"), options.json, out));
}

Result<int> SwitchRuns(const MarkOptions& options, const char* member, Output* out) {
  for (const std::string& run : options.runs) {
    Status status = MarkRun(run, {{member, !options.undo}}, options.json, out);
    if (!status.ok()) return status;
  }
  return kDone;
}

Result<int> ArchiveRuns(const MarkOptions& options, Output* out) {
  return SwitchRuns(options, "archived", out);
}

Result<int> StarRuns(const MarkOptions& options, Output* out) {
  return SwitchRuns(options, "baseline", out);
}

void DefineTag(Command* command) {
  auto options = std::make_shared<MarkOptions>();
  command->Run(&options->run);
  command->OptionalPositionals("TAG", &options->words,
                               "Tags to add, without blanks and commas (default: show the marks)");
  command->Texts("--remove", &options->remove, "Tag to remove; may be repeated");
  command->Json(&options->json);
  command->Footer(
      "Examples:\n  warden runs tag runs/a best small\n  warden runs tag runs/a --remove small");
  command->Runs(options, TagRun);
}

void DefineNote(Command* command) {
  auto options = std::make_shared<MarkOptions>();
  command->Run(&options->run);
  command->OptionalPositionals("TEXT", &options->words,
                               "The note; '' removes it (default: show the marks)");
  command->Json(&options->json);
  command->Footer("Example:\n  warden runs note runs/a 'learning rate too high'");
  command->Runs(options, NoteRun);
}

void DefineRename(Command* command) {
  auto options = std::make_shared<MarkOptions>();
  command->Run(&options->run);
  command->OptionalPositionals(
      "NAME", &options->words,
      "Name to show for the run; '' shows its own again (default: show the marks)");
  command->Json(&options->json);
  command->Footer(
      "The folder keeps its name.\n\nExample:\n  warden runs rename runs/a 'Cosine, warm "
      "restarts'");
  command->Runs(options, RenameRun);
}

void DefineArchive(Command* command) {
  auto options = std::make_shared<MarkOptions>();
  command->Positionals("RUN", &options->runs, "Folders of runs");
  command->Switch("--undo", &options->undo, "Show them again");
  command->Json(&options->json);
  command->Runs(options, ArchiveRuns);
}

void DefineStar(Command* command) {
  auto options = std::make_shared<MarkOptions>();
  command->Positionals("RUN", &options->runs, "Folders of runs");
  command->Switch("--undo", &options->undo, "Remove the mark");
  command->Json(&options->json);
  command->Runs(options, StarRuns);
}

}  // namespace

CommandEntry RunsTag() { return {"tag", "Add or remove tags", DefineTag}; }
CommandEntry RunsNote() { return {"note", "Write a note", DefineNote}; }
CommandEntry RunsRename() { return {"rename", "Show a run under another name", DefineRename}; }
CommandEntry RunsArchive() { return {"archive", "Leave runs out of the list", DefineArchive}; }
CommandEntry RunsStar() { return {"star", "Mark runs as baselines", DefineStar}; }

}  // namespace warden::cli
