#ifndef WARDEN_RULES_ENGINE_RECORDS_H_
#define WARDEN_RULES_ENGINE_RECORDS_H_

// The records of rules in a run's folder, which make findings available to other processes and for
// later: the dashboard and the CLI's commands for reports read them.

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
// that is called "debug-output", as the original's runs are arranged. Does not touch the disk.
std::string RecordsFolder(std::string_view run);

// What status.json of each of a run's rules says, shadow rules too, by name. Files that cannot be
// used are left out, as are those that a link leads out of the folder that RecordsFolder is in: the
// run, or the one that it lies in.
std::vector<RuleReport> ReadRecordedReports(std::string_view run);

// What rules found, for others and for later. Each rule has a folder of its name with
//   status.json     what `warden eval --json` says of it, with the last step that was checked
//   firings.jsonl   each finding as it was when it opened, one to a line
// Those of shadow rules are in "shadow", where readers that act on findings do not look.
// Evaluation is repeatable, so a watcher that is started again checks from the first step; what is
// recorded already is not reported twice. Records of a rule with other parameters are replaced.
//
// Used by Watcher. Not safe for threads; one process at a time writes a folder.
class Records {
 public:
  // In memory alone, for callers that do not want files.
  Records() = default;
  // Reads what is in the folder, which need not exist: Write makes it. kInvalid or kIo if it cannot
  // be listed; a damaged line, or a file that cannot be read, is ignored.
  static Result<Records> Open(std::string_view folder);

  // The rules that are about to run: what was recorded of them with other parameters is dropped.
  void Begin(const std::vector<RuleReport>& reports);

  // Whether the finding is new: not on record yet. It is then. A finding is the same if rule, step,
  // mode, tensor and worker are; for findings of profiler rules the step does not count.
  bool Add(const std::string& rule, const Finding& finding, bool shadow = false);

  // Writes what was added and the reports. The findings of *reports are completed by those on
  // record that were not found again, such as those of silence, and their status follows. kIo if a
  // file cannot be written. Without a folder only the reports are completed.
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
