#ifndef WARDEN_DASHBOARD_SITE_RULE_VIEWS_H_
#define WARDEN_DASHBOARD_SITE_RULE_VIEWS_H_

#include "warden/base/json_fwd.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// What the rules of a run say: an array of RuleView (docs/reference/dashboard_api.md), in the order
// in which the job has them, else by name. A record that cannot be read is left out, or told by
// what the job knows of the rule.
Json RuleViews(const service::ServiceOptions& options, const RunPlaces& places);

// {"total", "issues", "not_evaluated", "errors", "running"} of such an array.
Json CountRules(const Json& views);
int64_t CountFindings(const Json& views);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RULE_VIEWS_H_
