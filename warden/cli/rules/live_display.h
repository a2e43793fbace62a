#ifndef WARDEN_CLI_RULES_LIVE_DISPLAY_H_
#define WARDEN_CLI_RULES_LIVE_DISPLAY_H_

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "warden/cli/output.h"
#include "warden/cli/rules/summary_text.h"
#include "warden/cli/terminal.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/finding.h"

namespace warden::cli {

// What a person sees while a run is evaluated: alerts as they happen, and how far it has come. For
// one thread.
class LiveDisplay {
 public:
  enum class Progress {
    kLine,   // One line that replaces itself, on a terminal that nobody else writes to.
    kLines,  // A line now and then: others write to the terminal too, or it is not a terminal.
    kNone,
  };

  // The engine and the output outlive this.
  LiveDisplay(const rules::Engine* engine, Progress progress, Output* out);

  // A finding; shown with the others of its rule and step at the next Moment.
  void Found(const std::string& rule, const rules::Finding& finding);
  // Shows waiting alerts and, when it is due, the progress.
  void Moment();

 private:
  using Clock = std::chrono::steady_clock;

  void ShowAlerts();
  std::string Line();
  std::string RateText();
  std::string LossText() const;

  const rules::Engine* engine_;
  const Progress progress_;
  Output* out_;
  const Terminal terminal_;  // Where alerts go.
  NewFindings waiting_;
  std::deque<std::pair<Clock::time_point, Step>> marks_;  // Evaluated steps over time.
  Clock::time_point next_line_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_LIVE_DISPLAY_H_
