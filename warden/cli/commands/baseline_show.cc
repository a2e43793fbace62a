#include <fmt/format.h>

#include <array>
#include <chrono>

#include "warden/base/json.h"
#include "warden/base/pattern.h"
#include "warden/base/time.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/table.h"
#include "warden/cli/text.h"
#include "warden/rules/baseline/baseline.h"

namespace warden::cli {
namespace {

constexpr double kLastSecond = 253402300800;  // The year 10000.

struct BaselineShowOptions {
  std::string file;
  std::string regex;
  bool json = false;
};

std::string BandText(const std::optional<rules::Band>& band, rules::BandSide side) {
  if (!band) return "-";
  if (side == rules::BandSide::kAbove) return fmt::format("up to {:.3g}", band->high);
  if (side == rules::BandSide::kBelow) return fmt::format("from {:.3g}", band->low);
  return fmt::format("{:.3g} to {:.3g}", band->low, band->high);
}

// " 2026-01-01T12:00:00Z"; nothing if the file has no sensible time.
std::string LearnedAt(double seconds) {
  if (!(seconds > 0 && seconds < kLastSecond)) return "";
  const auto since_1970 = std::chrono::duration<double>(seconds);
  return " " + IsoSeconds(Time(std::chrono::duration_cast<std::chrono::milliseconds>(since_1970)));
}

void PrintRanges(const rules::Baseline& baseline, const std::optional<Pattern>& chosen,
                 Output* out) {
  // The beginning, the middle on the scale of phases, and the end.
  const size_t last = baseline.phases.size() - 1;
  const std::array<size_t, 3> shown = {0, last / 2, last};
  std::vector<Column> columns = {{"TENSOR", Align::kLeft, /*shrinks=*/true}, {"STATISTIC"}};
  for (const size_t phase : shown) {
    columns.push_back({fmt::format("FROM STEP {}", baseline.phases[phase]), Align::kRight});
  }
  Table table(std::move(columns));
  for (const rules::TensorBands& tensor : baseline.tensors) {
    if (chosen && !chosen->Search(tensor.tensor)) continue;
    for (const rules::BandSeries& series : tensor.series) {
      std::vector<Cell> cells = {tensor.tensor, std::string(rules::KeyOf(series.statistic))};
      for (const size_t phase : shown) {
        cells.emplace_back(BandText(series.bands[phase], series.side));
      }
      table.Add(std::move(cells));
    }
  }
  if (!table.empty()) table.Print(out);
}

Result<int> ShowBaseline(const BaselineShowOptions& options, Output* out) {
  const auto read = rules::ReadBaseline(options.file);
  if (!read.ok()) return read.status();
  const rules::Baseline& baseline = read.value();
  std::optional<Pattern> chosen;
  if (!options.regex.empty()) {
    auto pattern = Pattern::Compile(options.regex);
    if (!pattern.ok()) return pattern.status().WithContext("--regex");
    chosen = std::move(pattern.value());
  }
  if (options.json) {
    out->PrintJson(rules::ToJson(baseline));
    return kDone;
  }
  out->Print("Learned{} from {}, steps 0 to {}\n", LearnedAt(baseline.time),
             CountOf(baseline.runs.size(), "run"), baseline.last_step);
  for (const rules::LearnedRun& run : baseline.runs) {
    out->Print("  {}{}\n", Printable(run.run),
               run.command.empty() ? "" : fmt::format("  ({})", Printable(run.command)));
  }
  out->Write("\n");
  PrintRanges(baseline, chosen, out);
  return kDone;
}

void DefineBaselineShow(Command* command) {
  auto options = std::make_shared<BaselineShowOptions>();
  command->Positional("FILE", &options->file, "File of 'warden baseline learn'");
  command->Text("--regex", &options->regex, "Only tensors with matching names");
  command->Json(&options->json);
  command->Footer("Example:\n  warden baseline show baseline.json --regex weight");
  command->Runs(options, ShowBaseline);
}

}  // namespace

CommandEntry BaselineShow() {
  return {"show", "Show the normal ranges of a baseline", DefineBaselineShow};
}

}  // namespace warden::cli
