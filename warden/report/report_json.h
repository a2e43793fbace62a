#ifndef WARDEN_REPORT_REPORT_JSON_H_
#define WARDEN_REPORT_REPORT_JSON_H_

#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/report/report_document.h"

namespace warden::report {

// The whole report as web/src/api/types.ts has it (ReportValue), for a page that draws it itself:
// the dashboard. Texts are copied as they are: dump it with a handler for bytes that are not UTF-8.
// Members of Chart::data are those that web/src/charts reads.
Json ToJson(const Report& report);
// One section, as in "sections" of the above: a panel of the dashboard.
Json ToJson(const Section& section);

}  // namespace warden::report

#endif  // WARDEN_REPORT_REPORT_JSON_H_
