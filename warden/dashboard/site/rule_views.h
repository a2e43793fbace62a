#ifndef WARDEN_DASHBOARD_SITE_RULE_VIEWS_H_
#define WARDEN_DASHBOARD_SITE_RULE_VIEWS_H_

// What the dashboard shows of the rules of a run. The LiveHub asks for it several times a second.

#include "warden/base/json_fwd.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/jobs/record/job.h"
#include "warden/service/options.h"
#include "warden/watch/summary/machine_log.h"

namespace warden::dashboard {

// An array of RuleView (docs/reference/dashboard_api.md), in the order in which the job has them,
// or else by name. At most 200 findings per rule. A record that cannot be read is left out, or
// shown by what the job knows of the rule; only members of the right type are taken from a record.
// Reads the records on each call; never fails. Safe for many threads.
Json RuleViews(const service::ServiceOptions& options, const RunPlaces& places);

// Rules whose run has ended without them do not go on: those with findings have found problems, the
// others were stopped.
void EndRules(Json* views);

// {"total", "issues", "not_evaluated", "no_data", "errors", "running"} of such an array, by status;
// "no_data" counts the rules not evaluated that apply to the run.
Json CountRules(const Json& views);
// The incidents of such an array, worst first, as in `warden eval --json` (Incident in
// docs/reference/dashboard_api.md). machine: to look up what happened at the same time; may be
// null.
Json IncidentsOf(const Json& views, watch::MachineLog* machine);
// The same of what is kept with a job, whose rules' records may have been removed, or be elsewhere.
Json KeptIncidents(const jobs::TrainingJob& job);
// {"problem", "warning", "note"}: how many of them there are, by severity.
Json CountIncidents(const Json& incidents);
// How many findings such an array holds, over all rules.
int64_t CountFindings(const Json& views);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RULE_VIEWS_H_
