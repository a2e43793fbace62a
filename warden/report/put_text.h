#ifndef WARDEN_REPORT_PUT_TEXT_H_
#define WARDEN_REPORT_PUT_TEXT_H_

#include <string>

#include "warden/storage/store.h"

namespace warden::report {

// Writes a file of a report. An error names the file.
Status PutText(storage::Store* store, const std::string& key, const std::string& text);

}  // namespace warden::report

#endif  // WARDEN_REPORT_PUT_TEXT_H_
