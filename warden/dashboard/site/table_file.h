#ifndef WARDEN_DASHBOARD_SITE_TABLE_FILE_H_
#define WARDEN_DASHBOARD_SITE_TABLE_FILE_H_

// What is known of all runs, kept over a restart of the service: reading thousands of runs again
// takes a minute. Used by RunTable and SummaryTexts, each with a file of its own.

#include <map>
#include <optional>
#include <string>

#include "warden/base/status.h"

namespace warden::dashboard {

// What was read of one run.
struct KnownRun {
  std::string stamp;                             // Of what the others were made of.
  std::string text;                              // RunColumns or RunSummary of the API.
  std::map<std::string, std::string> best = {};  // By "min:loss": a member of RunColumns.at.
  double until = 0;  // When it is made again though the stamp is the same; 0: not said.
  std::optional<double> began = {};  // Of a summary: what the list of runs is sorted by.
};
using KnownRuns = std::map<std::string, KnownRun>;  // By the run's id.

// version: of the program; what another one has written is not used. Empty if there is no usable
// file. Lines that cannot be read are left out.
KnownRuns ReadKnownRuns(const std::string& path, const std::string& version);

// The text of a file, to which runs are added one by one: a copy of all of them, made whenever they
// are saved, would leave holes in memory that are never filled again.
class KnownRunsText {
 public:
  explicit KnownRunsText(const std::string& version);
  void Add(const std::string& id, const KnownRun& run);
  // Replaces the file whole. Errors are those of os::ReplaceFile.
  Status Write(const std::string& path) const;

 private:
  std::string text_;
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_TABLE_FILE_H_
