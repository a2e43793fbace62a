#ifndef WARDEN_DASHBOARD_SITE_RUN_FACTS_READER_H_
#define WARDEN_DASHBOARD_SITE_RUN_FACTS_READER_H_

// Tells rules that cannot apply to a run from rules that had no data. A rule for GPUs on a machine
// without one is not worth a word; a rule that applies and could not check is, since nobody may
// call such a run healthy.

#include <mutex>
#include <optional>
#include <string>

#include "warden/base/json_fwd.h"
#include "warden/watch/summary/run_facts.h"

namespace warden::dashboard {

// What the collections files of a run say of it: workers, XGBoost or not, whether the training loop
// was observed. A view of OpenRun. Files that have not changed are not read again, so that it may
// be asked several times a second. Safe for many threads.
class RunFactsReader {
 public:
  // run: the folder of tensors, which need not exist yet.
  explicit RunFactsReader(std::string run) : run_(std::move(run)) {}
  // What is not known counts as there, so that rules are not taken for inapplicable. Never fails.
  watch::RunFacts Now();

 private:
  const std::string run_;
  std::mutex mutex_;
  std::optional<double> changed_;  // Of the files' folder, when it was read.
  watch::RunFacts facts_;
};

// Sets "applies" of each rule of RuleViews() that was not evaluated. GPUs are known by the reasons
// of the rules themselves.
void MarkApplicable(watch::RunFacts facts, Json* views);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_FACTS_READER_H_
