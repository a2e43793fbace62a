#ifndef WARDEN_JOBS_SUPERVISE_JOB_INCIDENTS_H_
#define WARDEN_JOBS_SUPERVISE_JOB_INCIDENTS_H_

// The findings of all rules of a job together. Each rule is a process of its own, so only the
// service sees which of their findings have one cause.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "warden/actions/event.h"
#include "warden/base/types.h"
#include "warden/jobs/record/job.h"
#include "warden/rules/engine/report.h"
#include "warden/watch/summary/incidents.h"
#include "warden/watch/summary/machine_log.h"

namespace warden::jobs {

// The incidents of one job: those that watch::FindIncidents makes of the findings of its rules, as
// for a run. At most 200 findings of a rule and 50 incidents of a job are looked at, with texts of
// at most 1,024 bytes: rules may be programs of users. For one thread.
//
//   incidents.Add(rule.Name(), firings);            // As often as a rule finds something.
//   store->Change(name, [&](TrainingJob* job) {     // Once the other rules have had their turn.
//     incidents.WriteTo(job, Now());
//     return true;
//   });
//   incidents.Kept();
//
// All that is known is in the job's record and in the files of its rules. After a restart all
// findings are added again; an incident that the record has does not begin a second time.
class JobIncidents {
 public:
  // Findings that are not in the record yet.
  struct News {
    std::chrono::steady_clock::time_point since;  // When the first of them was added.
    std::optional<Step> step;  // The last of their first steps; nothing: one is about a time.
  };

  // Where the monitors of the job write: incidents say what the machines did, too. The first folder
  // counts; empty: there is none.
  void SetProfile(const std::string& folder);
  // rule: RuleJob::Name(). Findings that it has been given before are ignored.
  void Add(const std::string& rule, const std::vector<actions::Firing>& firings);
  // Whether the rule has found anything.
  bool Has(const std::string& rule) const;
  const std::optional<News>& news() const { return news_; }

  // Adds incidents that have begun to the job, and brings the others up to date. One that includes
  // the cause of an incident of the job is that incident, even if its cause is another one now; two
  // of the job that turned out to have one cause become one. Takes little time, and can be repeated
  // with another copy of the job.
  void WriteTo(TrainingJob* job, Time now);
  // What was added is in the store.
  void Kept() { news_.reset(); }

 private:
  struct Grouped {
    std::set<watch::FindingKey> findings;
    Json json;
  };

  rules::RuleReport* ReportOf(const std::string& rule, const std::string& rule_class);
  void AddNews(const rules::Finding& finding);
  void Group();

  std::unique_ptr<watch::MachineLog> machine_;  // Null: not known yet.
  std::vector<rules::RuleReport> reports_;      // One for each rule that has found something.
  std::vector<Grouped> incidents_;              // Of reports_, worst first.
  std::optional<News> news_;
  bool told_full_ = false;  // Of more incidents than are kept.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_JOB_INCIDENTS_H_
