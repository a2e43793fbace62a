#ifndef WARDEN_REPORT_REPORT_NOTEBOOK_H_
#define WARDEN_REPORT_REPORT_NOTEBOOK_H_

#include <string>

#include "warden/report/report.h"

namespace warden::report {

// What a notebook says of itself.
struct NotebookWords {
  std::string reads;   // The files beside it: "profiler-reports/*.json".
  std::string reader;  // The class in tensorwarden.report that reads them.
  std::string anew;    // What giving the run's folder does.
};

// The report as a notebook (nbformat 4) whose cells read the figures beside it and draw them anew.
std::string NotebookOf(const Report& report, const NotebookWords& words);

}  // namespace warden::report

#endif  // WARDEN_REPORT_REPORT_NOTEBOOK_H_
