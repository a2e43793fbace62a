#ifndef WARDEN_REPORT_REPORT_NOTEBOOK_H_
#define WARDEN_REPORT_REPORT_NOTEBOOK_H_

#include <string>

#include "warden/report/report_document.h"

namespace warden::report {

// What a notebook says of itself. Copied into it as Markdown and code, so that these are constants
// of the program, never text of a user.
struct NotebookWords {
  std::string reads;   // The files beside it: "profiler-reports/*.json".
  std::string reader;  // The class in tensorwarden.report that reads them.
  std::string again;   // What setting the run's folder does.
};

// The report as a notebook (nbformat 4) whose cells read the values next to it and draw the charts
// again. Texts of the report are escaped; ids of sections go into code as they are. Pure; ASCII.
std::string NotebookOf(const Report& report, const NotebookWords& words);

}  // namespace warden::report

#endif  // WARDEN_REPORT_REPORT_NOTEBOOK_H_
