#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/run.h"
#include "warden/cli/text.h"
#include "warden/trial/verify.h"

namespace warden::cli {
namespace {

struct TrialVerifyOptions {
  std::string run;
  bool json = false;
};

Json ToJson(const std::vector<trial::Problem>& problems) {
  Json list = Json::array();
  for (const trial::Problem& problem : problems) {
    list.push_back({{"file", problem.file},
                    {"offset", problem.offset ? Json(*problem.offset) : Json()},
                    {"message", problem.message}});
  }
  return list;
}

std::string Text(const trial::Problem& problem) {
  const std::string offset = problem.offset ? fmt::format(": byte {}", *problem.offset) : "";
  return Printable(fmt::format("{}{}: {}", problem.file, offset, problem.message)) + "\n";
}

void PrintReport(const trial::VerifyReport& report, Output* out) {
  const Terminal& terminal = out->terminal();
  for (const trial::Problem& problem : report.problems) {
    out->Write(Styled("damaged", Style::kBad, terminal) + "  " + Text(problem));
  }
  if (report.problem_count > report.problems.size()) {
    out->Print("... {} more\n", report.problem_count - report.problems.size());
  }
  for (const trial::Problem& note : report.notes) {
    out->Write(Styled("note", Style::kWarning, terminal) + "     " + Text(note));
  }
  const std::string verdict =
      report.clean() ? Styled("clean", Style::kGood, terminal)
                     : Styled(CountOf(report.problem_count, "problem"), Style::kBad, terminal);
  out->Write(fmt::format("{}: {}, {}, {}: {}\n", Printable(report.run),
                         CountOf(report.files, "file"), CountOf(report.records, "record"),
                         FormatBytes(report.bytes), verdict));
}

Result<int> Verify(const TrialVerifyOptions& options, Output* out) {
  const auto store = OpenRunStore(options.run);
  if (!store.ok()) return store.status();
  const auto show = [out](const trial::VerifyProgress& progress) {
    out->ShowProgress([&] {
      return fmt::format("{} of {} files, {}", progress.files_done, progress.files_total,
                         FormatBytes(progress.bytes));
    });
  };
  const trial::VerifyReport report = trial::VerifyRun(*store.value(), show);
  if (options.json) {
    out->PrintJson({{"run", report.run},
                    {"files", report.files},
                    {"records", report.records},
                    {"bytes", report.bytes},
                    {"problems", ToJson(report.problems)},
                    {"problem_count", report.problem_count},
                    {"notes", ToJson(report.notes)}});
  } else {
    PrintReport(report, out);
  }
  return report.clean() ? kDone : kFailed;
}

void DefineTrialVerify(Command* command) {
  auto options = std::make_shared<TrialVerifyOptions>();
  command->Run(&options->run);
  command->Json(&options->json);
  command->Footer(
      "Reads all index files, event records, TensorBoard files and collections files and compares\n"
      "them with each other and with their checksums. Skips unfinished files (*.tmp) and files of\n"
      "the profiler, which have no checksums. Runs of smdebug have none of values and names: a\n"
      "changed bit there is not detected. Exit code 1 if anything is damaged.\n\n"
      "Example:\n"
      "  warden trial verify runs/a");
  command->Runs(options, Verify);
}

}  // namespace

CommandEntry TrialVerify() {
  return {"verify", "Check the files of a run for damage", DefineTrialVerify};
}

}  // namespace warden::cli
