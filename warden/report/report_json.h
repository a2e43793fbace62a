#ifndef WARDEN_REPORT_REPORT_JSON_H_
#define WARDEN_REPORT_REPORT_JSON_H_

#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/report/report.h"

namespace warden::report {

// The whole report as web/src/api/types.ts has it (ReportValue), for a page that draws it itself.
Json ToJson(const Report& report);
Json ToJson(const Section& section);

}  // namespace warden::report

#endif  // WARDEN_REPORT_REPORT_JSON_H_
