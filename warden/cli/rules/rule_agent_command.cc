#include "warden/cli/rules/rule_agent_command.h"

#include <unistd.h>

#include "warden/cli/launch/interrupt.h"
#include "warden/cli/output.h"
#include "warden/cli/rules/summary_text.h"
#include "warden/cli/text.h"
#include "warden/jobs/rules/rule_agent.h"
#include "warden/watch/task/rule_task.h"

namespace warden::cli {
namespace {

// What the log of the rule shows.
class RulePrinter : public watch::RuleListener {
 public:
  // Each line of the text is a line of the log.
  void Notice(const std::string& text) override {
    std::string_view rest = text;
    while (!rest.empty()) {
      const size_t end = rest.find('\n');
      out_.Tell(Printable(rest.substr(0, end)));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
  }
  void Found(const std::vector<actions::Firing>& firings) override {
    NewFindings findings;
    for (const actions::Firing& firing : firings) {
      findings.emplace_back(firing.rule, firing.finding);
    }
    for (const std::string& line : AlertLines(findings)) out_.Tell(line);
  }
  void Evaluated(const watch::RuleTask& task,
                 const std::vector<rules::RuleReport>& reports) override {
    SummaryOptions summary;
    summary.named = {task.config.name};
    PrintSummary(reports, summary, &out_);
  }

 private:
  Output out_{STDOUT_FILENO, STDERR_FILENO, Terminal()};
};

}  // namespace

int RunRuleAgent(const std::string& folder) {
  // Before anybody can know that this process exists.
  CatchInterrupts();
  RulePrinter printer;
  return jobs::RunRuleAgent(folder, &printer, Interrupted);
}

}  // namespace warden::cli
