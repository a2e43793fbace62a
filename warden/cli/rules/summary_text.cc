#include "warden/cli/rules/summary_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "warden/base/json.h"
#include "warden/cli/command.h"
#include "warden/cli/text.h"
#include "warden/watch/summary/finding_groups.h"
#include "warden/watch/summary/incidents.h"

namespace warden::cli {
namespace {

using rules::Finding;
using rules::RuleReport;
using rules::RuleStatus;
using watch::FindingGroup;
using watch::Incident;

constexpr size_t kMostExamples = 3;
constexpr size_t kMostEffects = 4;
constexpr size_t kSummaryWidth = 100;
// A screen of 24 to 30 lines, less what follows the problems. The first is always shown in full.
constexpr std::ptrdiff_t kProblemLines = 20;
constexpr size_t kMostBriefProblems = 5;

size_t SummaryWidth(const Output& out) {
  return std::min<size_t>(kSummaryWidth, static_cast<size_t>(out.terminal().width));
}

// Lines of at most the width, broken at blanks. The first begins with `first`, others with `next`.
std::string WrapText(std::string_view text, std::string_view first, std::string_view next,
                     size_t width) {
  std::string lines;
  std::string line(first);
  bool empty = true;
  while (!text.empty()) {
    const size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    if (!empty && DisplayWidth(line) + 1 + DisplayWidth(word) > width) {
      lines += line + "\n";
      line = next;
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return lines + line + "\n";
}

std::string_view UnitOf(const Finding& finding, bool one_each) {
  return one_each && finding.time_s == 0 && !finding.tensor.empty() ? "tensor" : "finding";
}

// "6 tensors since step 0".
std::string ExtentText(const FindingGroup& group) {
  const Finding& first = *group.findings.front();
  const size_t count = group.findings.size();
  const bool once = group.first_step == group.last_step && first.time_s == 0;
  const std::string when = fmt::format("{} {}", once ? "at" : "since", watch::BeginOf(first));
  const std::string_view unit = UnitOf(first, group.tensors == count);
  if (count == 1 && unit != "tensor") return when;
  return fmt::format("{} {}", CountOf(count, unit), when);
}

// "step 0", "steps 0-300".
std::string StepsText(const Finding& finding) {
  if (finding.time_s != 0 || finding.step == finding.last_step) return watch::BeginOf(finding);
  const bool usual = finding.mode == Mode::kTrain || finding.mode == Mode::kGlobal;
  return fmt::format("steps {}-{}{}", finding.step, finding.last_step,
                     usual ? "" : fmt::format(", {}", ModeName(finding.mode)));
}

std::string ExampleLines(const FindingGroup& group, size_t width) {
  const size_t shown = std::min(group.findings.size(), kMostExamples);
  size_t widest = 0;
  for (size_t i = 0; i < shown; ++i) {
    widest = std::max(widest, DisplayWidth(Printable(watch::PlaceOf(*group.findings[i]))));
  }
  std::string lines;
  for (size_t i = 0; i < shown; ++i) {
    const Finding& finding = *group.findings[i];
    const std::string what =
        Printable(fmt::format("{} ({})", watch::CauseOf(finding), StepsText(finding)));
    const std::string place = Printable(watch::PlaceOf(finding));
    const size_t gap = widest == 0 ? 0 : widest - DisplayWidth(place) + 2;
    const std::string aligned = fmt::format("  {}{}{}", place, std::string(gap, ' '), what);
    lines += DisplayWidth(aligned) <= width
                 ? aligned + "\n"
                 : WrapText(place.empty() ? what : fmt::format("{}  {}", place, what), "  ", "    ",
                            width);
  }
  const size_t left = group.findings.size() - shown;
  if (left > 0) {
    const bool one_each = group.tensors == group.findings.size();
    lines += fmt::format("  {} more {}{}\n", left, UnitOf(*group.findings.front(), one_each),
                         left == 1 ? "" : "s");
  }
  return lines;
}

std::string ProblemTitle(const FindingGroup& group, const Output& out) {
  return fmt::format("{}  {}", Styled(Printable(group.report->name), Style::kBad, out.terminal()),
                     ExtentText(group));
}

// "Then: LossSpike at step 12, ExplodingTensor (18 tensors since step 13)".
std::string EffectsText(const std::vector<FindingGroup>& effects) {
  std::string text = "Then: ";
  for (size_t i = 0; i < effects.size(); ++i) {
    if (i == kMostEffects) return text + fmt::format(", {} more", effects.size() - i);
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", Printable(effects[i].report->name),
                        ExtentText(effects[i]));
  }
  return text;
}

std::string FullProblem(const Incident& incident, const Output& out) {
  const FindingGroup& group = incident.cause;
  const size_t width = SummaryWidth(out);
  std::string text = ProblemTitle(group, out) + "\n";
  if (!group.report->doc.empty()) {
    text += WrapText(Printable(group.report->doc), "  ", "  ", width);
  }
  text += ExampleLines(group, width);
  if (!incident.effects.empty()) {
    text += WrapText(EffectsText(incident.effects), "  ", "    ", width);
  }
  const std::string& advice = group.findings.front()->advice;
  if (!advice.empty()) text += WrapText(Printable(advice), "  Try: ", "       ", width);
  return text;
}

void PrintProblems(const std::vector<Incident>& incidents, bool verbose, Output* out) {
  std::ptrdiff_t room = kProblemLines;
  size_t full = 0;
  for (; full < incidents.size(); ++full) {
    const std::string text = FullProblem(incidents[full], *out);
    room -= std::count(text.begin(), text.end(), '\n') + 1;
    if (full > 0 && room < 0 && !verbose) break;
    out->Print("\n{}", text);
  }
  if (full == incidents.size()) return;
  const size_t end = std::min(incidents.size(), full + kMostBriefProblems);
  out->Write("\n");
  for (size_t i = full; i < end; ++i) out->Print("{}\n", ProblemTitle(incidents[i].cause, *out));
  if (end < incidents.size()) out->Print("{} more problems\n", incidents.size() - end);
  out->Write("\n--verbose shows examples and advice for every problem.\n");
}

// The rule's name and why it has no result.
void PrintReason(const RuleReport& report, std::string_view what, Output* out) {
  out->Write(WrapText(fmt::format("{}: {}", what, Printable(report.reason)),
                      Printable(report.name) + "  ", "  ", SummaryWidth(*out)));
}

size_t CountWith(const std::vector<RuleReport>& reports, RuleStatus status) {
  return static_cast<size_t>(
      std::count_if(reports.begin(), reports.end(),
                    [&](const RuleReport& report) { return report.status == status; }));
}

// "3 rules found no problems. 4 rules not evaluated (data not saved); --verbose lists them."
std::string ClosingLine(const std::vector<RuleReport>& reports, bool any_problem, size_t unlisted) {
  std::vector<std::string> sentences;
  const size_t passed = CountWith(reports, RuleStatus::kNoIssuesFound);
  if (passed > 0) {
    const std::string count = CountOf(passed, "rule");
    sentences.push_back(any_problem ? fmt::format("{} found no problems.", count)
                                    : fmt::format("No problems found ({} checked).", count));
  }
  if (const size_t running = CountWith(reports, RuleStatus::kInProgress); running > 0) {
    sentences.push_back(fmt::format("{} still running.", CountOf(running, "rule")));
  }
  if (unlisted > 0) {
    sentences.push_back(fmt::format("{} not evaluated (data not saved); --verbose lists {}.",
                                    CountOf(unlisted, "rule"), unlisted == 1 ? "it" : "them"));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

std::string AlertText(const std::string& rule, const Finding& finding, size_t more) {
  const std::string place = watch::PlaceOf(finding);
  std::string text = fmt::format("{} at {}: {}{}{}", rule, watch::BeginOf(finding), place,
                                 place.empty() ? "" : " ", watch::CauseOf(finding));
  if (more > 0) {
    text += fmt::format(" ({} more {}{})", more, UnitOf(finding, true), more == 1 ? "" : "s");
  }
  return Printable(text);
}

}  // namespace

std::vector<std::string> AlertLines(const NewFindings& findings) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < findings.size();) {
    const auto& [rule, first] = findings[begin];
    size_t end = begin;
    size_t worst = begin;
    while (end < findings.size() && findings[end].first == rule &&
           findings[end].second.step == first.step) {
      if (watch::ShownBefore(findings[end].second, findings[worst].second)) worst = end;
      ++end;
    }
    lines.push_back(AlertText(rule, findings[worst].second, end - begin - 1));
    begin = end;
  }
  return lines;
}

std::string StopText(const std::string& rule, Step step) {
  std::string text = "training stopped by rule " + Printable(rule);
  if (step >= 0) text += fmt::format(" at step {}", step);
  return text;
}

void PrintSummary(const std::vector<RuleReport>& reports, const SummaryOptions& options,
                  Output* out) {
  const std::vector<Incident> incidents = watch::FindIncidents(reports);
  if (!incidents.empty()) {
    const std::string title = CountOf(incidents.size(), "problem") + " found";
    out->Print("{}\n", Styled(title, Style::kBold, out->terminal()));
  }
  PrintProblems(incidents, options.verbose, out);
  size_t unlisted = 0;
  bool any_reason = false;
  const auto reason = [&](const RuleReport& report, std::string_view what) {
    if (!any_reason && !incidents.empty()) out->Write("\n");
    PrintReason(report, what, out);
    any_reason = true;
  };
  for (const RuleReport& report : reports) {
    const bool named = options.named.contains(report.name);
    if (report.status == RuleStatus::kError) {
      reason(report, "error");
    }
    if (report.status != RuleStatus::kNotEvaluated) continue;
    if (!named && !watch::CanApply(report.rule, options.facts)) continue;
    if (named || options.verbose) {
      reason(report, "not evaluated");
    } else {
      ++unlisted;
    }
  }
  const std::string closing = ClosingLine(reports, !incidents.empty(), unlisted);
  if (closing.empty()) return;
  if (any_reason || !incidents.empty()) out->Write("\n");
  out->Write(WrapText(closing, "", "", SummaryWidth(*out)));
}

void PrintPlaces(const RunPlaces& places, const watch::RunFacts& facts, Output* out) {
  const auto print = [&](const char* title, const std::string& text) {
    if (!text.empty()) out->Print("{:<10} {}\n", title, Printable(text));
  };
  out->Write("\n");
  print("Run", fmt::format("{}  ({}, {})", places.run, CountOf(facts.steps, "step"),
                           CountOf(facts.tensors, "tensor")));
  if (!places.dashboard.empty()) {
    print("Dashboard", places.dashboard);
  } else if (places.run.find("://") == std::string::npos) {
    const auto parent = (std::filesystem::path(places.run) / "").parent_path().parent_path();
    print("Dashboard",
          fmt::format("warden serve --runs {} --open", parent.empty() ? "." : parent.string()));
  }
  print("Report", places.report_page);
  print("XGBoost", places.xgboost_page);
}

Json ReportsJson(const std::string& run, const std::vector<RuleReport>& reports) {
  Json list = Json::array();
  for (const RuleReport& report : reports) list.push_back(rules::ToJson(report));
  return {{"run", run},
          {"incidents", watch::ToJson(watch::FindIncidents(reports))},
          {"rules", std::move(list)}};
}

int ExitCodeFor(const std::vector<RuleReport>& reports) {
  if (CountWith(reports, RuleStatus::kIssuesFound) > 0) return kIssuesFound;
  return CountWith(reports, RuleStatus::kError) > 0 ? kFailed : kDone;
}

}  // namespace warden::cli
