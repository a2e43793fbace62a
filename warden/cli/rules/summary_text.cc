#include "warden/cli/rules/summary_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

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
using rules::Severity;
using watch::FindingGroup;
using watch::Incident;

constexpr size_t kMostExamples = 3;
constexpr std::ptrdiff_t kMostIncidentLines = 8;
constexpr size_t kMostEffects = 4;
constexpr std::string_view kMorePlaces = " -> ...";
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
  const std::string when = fmt::format("{} {}", once ? "at" : "since", rules::BeginText(first));
  const std::string_view unit = UnitOf(first, group.tensors == count);
  if (count == 1 && unit != "tensor") return when;
  return fmt::format("{} {}", CountOf(count, unit), when);
}

// "step 0", "steps 0-300".
std::string StepsText(const Finding& finding) {
  if (finding.time_s != 0 || finding.step == finding.last_step) return rules::BeginText(finding);
  const bool usual = finding.mode == Mode::kTrain || finding.mode == Mode::kGlobal;
  return fmt::format("steps {}-{}{}", finding.step, finding.last_step,
                     usual ? "" : fmt::format(", {}", ModeName(finding.mode)));
}

std::string ExampleLines(const FindingGroup& group, size_t most, size_t width) {
  const size_t shown = std::min(group.findings.size(), most);
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

Style StyleOf(Severity severity) {
  return severity == Severity::kProblem   ? Style::kBad
         : severity == Severity::kWarning ? Style::kWarning
                                          : Style::kPlain;
}

std::string ProblemTitle(const Incident& incident, const Output& out) {
  const FindingGroup& group = incident.cause;
  const std::string name =
      Styled(Printable(group.report->name), StyleOf(incident.severity), out.terminal());
  const std::string kind = incident.severity == Severity::kProblem
                               ? ""
                               : fmt::format(" ({})", SeverityName(incident.severity));
  return fmt::format("{}  {}{}", name, ExtentText(group), kind);
}

// "2 problems, 1 warning"; more: "2 more problems, 1 more warning".
std::string CountText(std::span<const Incident> incidents, bool more) {
  std::vector<std::string> counts;
  for (const Severity severity : {Severity::kProblem, Severity::kWarning, Severity::kNote}) {
    const auto count =
        std::count_if(incidents.begin(), incidents.end(),
                      [&](const Incident& incident) { return incident.severity == severity; });
    if (count == 0) continue;
    counts.push_back(CountOf(static_cast<uint64_t>(count),
                             fmt::format("{}{}", more ? "more " : "", SeverityName(severity))));
  }
  return fmt::format("{}", fmt::join(counts, ", "));
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

// The groups that follow from the cause, with every finding.
std::string EffectLines(const std::vector<FindingGroup>& effects, size_t width) {
  std::string text;
  for (const FindingGroup& group : effects) {
    text += fmt::format("  Then: {} ({})\n", Printable(group.report->name), ExtentText(group));
    text += ExampleLines(group, group.findings.size(), width);
  }
  return text;
}

// "  Spread: decoder.3 (step 51) -> decoder.4 -> all gradients", as much of it as fits on the line;
// empty: nothing is known.
std::string SpreadLine(const Incident& incident, size_t width) {
  std::string line;
  for (const std::string& place : watch::SpreadOf(incident)) {
    const std::string longer =
        line.empty() ? "  Spread: " + Printable(place) : line + " -> " + Printable(place);
    if (!line.empty() && DisplayWidth(longer) + DisplayWidth(kMorePlaces) > width) {
      return fmt::format("{}{}\n", line, kMorePlaces);
    }
    line = longer;
  }
  return line.empty() ? line : line + "\n";
}

// "  Machine: GPU 0 slowed down (heat); host memory 97 % full (around step 118)", as much of it as
// fits on the line; empty: nothing was remarkable.
std::string MachineLine(const Incident& incident, size_t width) {
  constexpr std::string_view kMoreFacts = "; ...";
  const std::string when =
      fmt::format(" (around {})\n", Printable(rules::BeginText(*incident.cause.findings.front())));
  std::string line;
  for (const watch::MachineFact& fact : incident.machine) {
    const std::string longer =
        line.empty() ? "  Machine: " + Printable(fact.text) : line + "; " + Printable(fact.text);
    const size_t needed = DisplayWidth(longer) + kMoreFacts.size() + when.size() - 1;
    if (!line.empty() && needed > width) return fmt::format("{}{}{}", line, kMoreFacts, when);
    line = longer;
  }
  return line.empty() ? line : line + when;
}

// What is shown of an incident.
struct Detail {
  size_t examples = kMostExamples;
  bool doc = true;
  bool spread = true;
  bool machine = true;
  bool every_finding = false;
};

std::string ProblemText(const Incident& incident, const Detail& detail, const Output& out) {
  const FindingGroup& group = incident.cause;
  const size_t width = SummaryWidth(out);
  std::string text = ProblemTitle(incident, out) + "\n";
  if (detail.doc && !group.report->doc.empty()) {
    text += WrapText(Printable(group.report->doc), "  ", "  ", width);
  }
  text +=
      ExampleLines(group, detail.every_finding ? group.findings.size() : detail.examples, width);
  if (detail.every_finding) {
    text += EffectLines(incident.effects, width);
  } else if (!incident.effects.empty()) {
    text += WrapText(EffectsText(incident.effects), "  ", "    ", width);
  }
  if (detail.spread) text += SpreadLine(incident, width);
  if (detail.machine) text += MachineLine(incident, width);
  const std::string& advice = group.findings.front()->advice;
  if (!advice.empty()) text += WrapText(Printable(advice), "  Try: ", "       ", width);
  return text;
}

std::string FullProblem(const Incident& incident, bool verbose, const Output& out) {
  if (verbose) return ProblemText(incident, {.every_finding = true}, out);
  // Examples are left out first: the first one has the cause.
  std::string text;
  for (const Detail& detail :
       {Detail{}, Detail{.examples = 2}, Detail{.examples = 1}, Detail{.examples = 1, .doc = false},
        Detail{.examples = 1, .doc = false, .spread = false},
        Detail{.examples = 1, .doc = false, .spread = false, .machine = false}}) {
    text = ProblemText(incident, detail, out);
    if (std::count(text.begin(), text.end(), '\n') <= kMostIncidentLines) break;
  }
  return text;
}

void PrintProblems(const std::vector<Incident>& incidents, bool verbose, Output* out) {
  std::ptrdiff_t room = kProblemLines;
  size_t full = 0;
  for (; full < incidents.size(); ++full) {
    const std::string text = FullProblem(incidents[full], verbose, *out);
    room -= std::count(text.begin(), text.end(), '\n') + 1;
    if (full > 0 && room < 0 && !verbose) break;
    out->Print("\n{}", text);
  }
  if (full == incidents.size()) return;
  const size_t end = std::min(incidents.size(), full + kMostBriefProblems);
  out->Write("\n");
  for (size_t i = full; i < end; ++i) out->Print("{}\n", ProblemTitle(incidents[i], *out));
  if (end < incidents.size()) {
    out->Print("{}\n", CountText(std::span(incidents).subspan(end), /*more=*/true));
  }
  out->Write("\n--verbose shows examples and advice for every problem.\n");
}

void PrintFound(const std::vector<Incident>& incidents, bool verbose, Output* out) {
  if (!incidents.empty()) {
    const std::string title = CountText(incidents, /*more=*/false) + " found";
    out->Print("{}\n", Styled(title, Style::kBold, out->terminal()));
  }
  PrintProblems(incidents, verbose, out);
}

// The rule's name and why it has no result.
void PrintReason(const RuleReport& report, std::string_view what, Output* out) {
  out->Write(WrapText(fmt::format("{}: {}", what, Printable(report.reason)),
                      Printable(report.name) + "  ", "  ", SummaryWidth(*out)));
}

size_t CountWith(const std::vector<RuleReport>& reports, RuleStatus status) {
  return static_cast<size_t>(std::count_if(
      reports.begin(), reports.end(),
      [&](const RuleReport& report) { return report.status == status && !report.shadow; }));
}

// "Shadow rules would have reported: VanishingGradient (6 tensors since step 0). Not evaluated:
// DeadRelu." Empty without shadow rules.
std::string ShadowLine(const std::vector<RuleReport>& reports) {
  std::vector<RuleReport> shadow;
  std::vector<std::string> silent;
  for (const RuleReport& report : reports) {
    if (!report.shadow) continue;
    shadow.push_back(report);
    shadow.back().shadow = false;
    if (report.status == RuleStatus::kNotEvaluated) silent.push_back(report.name);
    if (report.status == RuleStatus::kError) {
      silent.push_back(fmt::format("{} ({})", report.name, report.reason));
    }
  }
  if (shadow.empty()) return "";
  std::vector<std::string> found;
  for (const FindingGroup& group : watch::GroupFindings(shadow)) {
    found.push_back(fmt::format("{} ({})", group.report->name, ExtentText(group)));
  }
  std::string line =
      fmt::format("Shadow rules would have reported: {}.",
                  found.empty() ? "nothing" : fmt::format("{}", fmt::join(found, ", ")));
  if (!silent.empty()) line += fmt::format(" Not evaluated: {}.", fmt::join(silent, ", "));
  return Printable(line);
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
  std::string text = fmt::format("{} at {}: {}{}{}", rule, rules::BeginText(finding), place,
                                 place.empty() ? "" : " ", watch::CauseOf(finding));
  if (more > 0) {
    text += fmt::format(" ({} more {}{})", more, UnitOf(finding, true), more == 1 ? "" : "s");
  }
  return Printable(text);
}

// How much of the run was looked at, and what that has cost; empty if capture had no budget.
std::string CaptureText(const watch::RunFacts& facts) {
  if (!facts.capture_share) return "";
  // The first steps are looked at whatever it costs. It takes more to make up for that.
  constexpr size_t kRegulated = 2000;
  const bool all = facts.steps_with_statistics >= facts.steps;
  const std::string steps =
      all ? "every step" : fmt::format("{} of {} steps", facts.steps_with_statistics, facts.steps);
  if (facts.steps < kRegulated) return fmt::format("statistics of {}", steps);
  return fmt::format("statistics of {}, {:.1f} % of the time", steps, 100 * *facts.capture_share);
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

std::string AlertLine(const FindingGroup& group) {
  // A tensor may have several findings by now.
  const size_t count = group.tensors > 0 ? group.tensors : group.findings.size();
  return AlertText(group.report->name, *group.findings.front(), count - 1);
}

std::string AlertMark(Severity severity, const Terminal& terminal) {
  return Styled(severity == Severity::kNote ? "-" : "!", StyleOf(severity), terminal);
}

std::string StopText(const std::string& rule, Step step) {
  std::string text = "training stopped by rule " + Printable(rule);
  if (step >= 0) text += fmt::format(" at step {}", step);
  return text;
}

void PrintIncidents(const std::vector<RuleReport>& reports, bool verbose, Output* out) {
  PrintFound(watch::FindIncidents(reports), verbose, out);
}

void PrintSummary(const std::vector<RuleReport>& reports, const SummaryOptions& options,
                  Output* out) {
  const std::vector<Incident> incidents = watch::FindIncidents(reports, options.machine);
  PrintFound(incidents, options.verbose, out);
  size_t unlisted = 0;
  bool any_reason = false;
  const auto reason = [&](const RuleReport& report, std::string_view what) {
    if (!any_reason && !incidents.empty()) out->Write("\n");
    PrintReason(report, what, out);
    any_reason = true;
  };
  for (const RuleReport& report : reports) {
    if (report.shadow) continue;
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
  const std::string shadow = ShadowLine(reports);
  if (closing.empty() && shadow.empty()) return;
  if (any_reason || !incidents.empty()) out->Write("\n");
  if (!closing.empty()) out->Write(WrapText(closing, "", "", SummaryWidth(*out)));
  if (!shadow.empty()) out->Write(WrapText(shadow, "", "  ", SummaryWidth(*out)));
}

void PrintPlaces(const RunPlaces& places, const watch::RunFacts& facts, Output* out) {
  const auto print = [&](const char* title, const std::string& text) {
    if (!text.empty()) out->Print("{:<10} {}\n", title, Printable(text));
  };
  out->Write("\n");
  print("Run", fmt::format("{}  ({}, {})", places.run, CountOf(facts.steps, "step"),
                           CountOf(facts.tensors, "tensor")));
  print("Capture", CaptureText(facts));
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

Json ReportsJson(const std::string& run, const std::vector<RuleReport>& reports,
                 watch::MachineLog* machine) {
  Json list = Json::array();
  for (const RuleReport& report : reports) list.push_back(rules::ToJson(report));
  return {{"run", run},
          {"incidents", watch::ToJson(watch::FindIncidents(reports, machine))},
          {"rules", std::move(list)}};
}

bool HasNews(const std::vector<RuleReport>& reports) {
  return CountWith(reports, RuleStatus::kIssuesFound) + CountWith(reports, RuleStatus::kError) > 0;
}

bool HasFinding(const std::vector<RuleReport>& reports, std::optional<Severity> limit) {
  return limit && std::any_of(reports.begin(), reports.end(), [&](const RuleReport& report) {
           return !report.shadow && std::any_of(report.findings.begin(), report.findings.end(),
                                                [&](const Finding& one) {
                                                  return rules::IsAtLeast(one.severity, *limit);
                                                });
         });
}

int ExitCodeFor(const std::vector<RuleReport>& reports, std::optional<Severity> fail_on) {
  if (HasFinding(reports, fail_on)) return kIssuesFound;
  return CountWith(reports, RuleStatus::kError) > 0 ? kFailed : kDone;
}

}  // namespace warden::cli
