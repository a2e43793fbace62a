#include "warden/cli/rules/verdict_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/cli/command.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

using rules::Finding;
using rules::RuleReport;
using rules::RuleStatus;

constexpr size_t kMostFindings = 5;
constexpr size_t kTextWidth = 96;

// Most runs have one worker and one node, which goes without saying.
std::string OfWorker(const Finding& finding) {
  const bool usual =
      finding.worker.empty() || finding.worker == "worker_0" || finding.worker == "algo-1";
  return usual ? "" : fmt::format(" [{}]", finding.worker);
}

std::string Since(const Finding& finding) {
  if (finding.count == 1) return "";
  if (finding.time_s != 0) {
    return fmt::format(", and so whenever it was judged since, {} times", finding.count - 1);
  }
  return fmt::format(", and so at {} up to step {}", CountOf(finding.count, "judged step"),
                     finding.last_step);
}

// Lines of at most the width, broken at blanks, each after the indent.
std::string Wrapped(std::string_view text, std::string_view indent, size_t width) {
  std::string lines;
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) lines += fmt::format("{}{}\n", indent, line);
    line.clear();
  };
  while (!text.empty()) {
    const size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    if (DisplayWidth(line) + DisplayWidth(word) + indent.size() + 1 > width) end_line();
    if (!line.empty()) line += ' ';
    line += word;
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  end_line();
  return lines;
}

size_t TextWidth(const Output& out) {
  return std::min<size_t>(kTextWidth, static_cast<size_t>(out.terminal().width));
}

void PrintFindings(const RuleReport& report, Output* out) {
  const std::string title = fmt::format("{}: {}", report.name, report.doc);
  out->Print("{}\n", Styled(Printable(title), Style::kBad, out->terminal()));
  const size_t shown = std::min(report.findings.size(), kMostFindings);
  for (size_t i = 0; i < shown; ++i) {
    const Finding& finding = report.findings[i];
    out->Print("  - {}\n", Printable(finding.message + OfWorker(finding) + Since(finding)));
  }
  if (report.findings.size() > shown) {
    out->Print("  - and {} more\n", report.findings.size() - shown);
  }
  if (!report.findings.empty() && !report.findings[0].advice.empty()) {
    out->Write(Wrapped(Printable("Try: " + report.findings[0].advice), "    ", TextWidth(*out)));
  }
}

// Names of the rules with that status.
std::vector<std::string> Names(const std::vector<RuleReport>& reports, RuleStatus status) {
  std::vector<std::string> names;
  for (const RuleReport& report : reports) {
    if (report.status == status) names.push_back(Printable(report.name));
  }
  return names;
}

void PrintNames(const char* title, const std::vector<std::string>& names, Output* out) {
  if (names.empty()) return;
  out->Write(Wrapped(fmt::format("{}: {}", title, fmt::join(names, ", ")), "", TextWidth(*out)));
}

}  // namespace

std::string AlertText(const std::string& rule, const Finding& finding) {
  return Printable(fmt::format("{}: {}{}", rule, finding.message, OfWorker(finding)));
}

void PrintVerdicts(const std::vector<RuleReport>& reports, bool explain, Output* out) {
  for (const RuleReport& report : reports) {
    if (report.status == RuleStatus::kIssuesFound) PrintFindings(report, out);
  }
  for (const RuleReport& report : reports) {
    if (report.status != RuleStatus::kError) continue;
    out->Print("{}\n{}",
               Styled(Printable(report.name) + ": failed", Style::kWarning, out->terminal()),
               Wrapped(Printable(report.reason), "    ", TextWidth(*out)));
  }
  PrintNames("Nothing found by", Names(reports, RuleStatus::kNoIssuesFound), out);
  PrintNames("Still judging", Names(reports, RuleStatus::kInProgress), out);
  if (!explain) {
    PrintNames("Could not judge, for want of data", Names(reports, RuleStatus::kNotEvaluated), out);
    return;
  }
  for (const RuleReport& report : reports) {
    if (report.status != RuleStatus::kNotEvaluated) continue;
    out->Write(Wrapped(
        fmt::format("{} could not judge: {}", Printable(report.name), Printable(report.reason)), "",
        TextWidth(*out)));
  }
}

Json VerdictsJson(const std::string& run, const std::vector<RuleReport>& reports) {
  Json list = Json::array();
  for (const RuleReport& report : reports) list.push_back(rules::ToJson(report));
  return {{"run", run}, {"rules", std::move(list)}};
}

int VerdictCode(const std::vector<RuleReport>& reports) {
  const auto any = [&](RuleStatus status) {
    return std::any_of(reports.begin(), reports.end(),
                       [&](const RuleReport& report) { return report.status == status; });
  };
  if (any(RuleStatus::kIssuesFound)) return kIssuesFound;
  return any(RuleStatus::kError) ? kFailed : kDone;
}

}  // namespace warden::cli
