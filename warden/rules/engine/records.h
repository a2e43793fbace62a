#ifndef WARDEN_RULES_ENGINE_RECORDS_H_
#define WARDEN_RULES_ENGINE_RECORDS_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/engine/report.h"
#include "warden/rules/finding.h"
#include "warden/storage/store.h"

namespace warden::rules {

// Where a run's rules keep their records: "rule-output" in the run's folder, or beside it where
// that is called "debug-output", as the original's runs are arranged.
std::string RecordsFolder(std::string_view run);

// What rules found, for others and for later. Each rule has a folder of its name with
//   status.json     what `warden eval --json` says of it, with the last step that was judged
//   firings.jsonl   each finding as it was when it began, one to a line
// Judging is repeatable, so a watcher that is started again judges from the first step; what is on
// record already is not told twice. Records of a rule with other parameters are begun anew.
class Records {
 public:
  // In memory alone, for those who do not want any.
  Records() = default;
  // Whatever is in the folder already is read. kIo if it cannot be; a damaged line is passed over.
  static Result<Records> Open(std::string_view folder);

  // The rules that are about to judge: what was recorded with other parameters is forgotten.
  void Begin(const std::vector<RuleReport>& reports);

  // Whether it is new: not on record yet. It is then.
  bool Add(const std::string& rule, const Finding& finding);

  // Makes records of what was added, and of the reports, whose findings are completed by those on
  // record that were not found again: of silence, say.
  Status Write(std::vector<RuleReport>* reports, Step last_step);

 private:
  using Key = std::tuple<Step, Mode, std::string, std::string>;  // Where it began.
  struct OfRule {
    std::vector<Finding> findings;
    std::set<Key> keys;
    std::string parameters;  // As JSON; empty: unknown.
    bool changed = false;
  };
  static Key KeyOf(const Finding& finding);
  void Load(const std::string& rule);

  std::unique_ptr<storage::Store> store_;
  std::map<std::string, OfRule, std::less<>> rules_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_RECORDS_H_
