#ifndef WARDEN_REPORT_PUT_TEXT_H_
#define WARDEN_REPORT_PUT_TEXT_H_

#include <string>

#include "warden/storage/store.h"

namespace warden::report {

// Writes a file of a report, replacing it as a whole or not at all. key: relative to the store, as
// "profiler-output/profiler-report.html". An error names the file; its code is that of Store::Put.
// store is not owned.
Status PutText(storage::Store* store, const std::string& key, const std::string& text);

}  // namespace warden::report

#endif  // WARDEN_REPORT_PUT_TEXT_H_
