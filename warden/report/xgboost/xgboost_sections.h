#ifndef WARDEN_REPORT_XGBOOST_XGBOOST_SECTIONS_H_
#define WARDEN_REPORT_XGBOOST_XGBOOST_SECTIONS_H_

// The sections of the XGBoost report, and what they share. Only for this folder; BuildXgboostReport
// chooses those that suit the task. Pure functions.

#include <cstddef>
#include <string>
#include <vector>

#include "warden/report/report_document.h"
#include "warden/report/xgboost/xgboost_report.h"

namespace warden::report::xgboost {

// The sections, one function each, with the id that Advice::section refers to. A section without
// data says in one line what to save.
Section JobSection(const XgboostInputs& inputs);         // "job".
Section LabelsSection(const RunStatistics& statistics);  // "labels": how the labels are spread.
Section LossSection(
    const RunStatistics& statistics);  // "loss": metrics over the steps, and whether it overfits.
Section ImportanceSection(const RunStatistics& statistics);  // "importance": of features.
Section ConfusionSection(const RunStatistics& statistics);   // "confusion": what is taken for what.
Section EvaluationSection(const RunStatistics& statistics);  // "evaluation": precision, recall, F1.
Section ClassAccuracySection(const RunStatistics& statistics);  // "class-accuracy": over the steps.
Section RocSection(const RunStatistics& statistics);            // "roc": one curve per class.
Section ResidualsSection(const RunStatistics& statistics);      // "residuals": of a regression.
Section BinsSection(const RunStatistics& statistics);  // "bins": the error by label and step.
// "predictions": of a training whose predictions are neither classes nor values.
Section NoPredictionsSection(const RunStatistics& statistics);

// What to do, most urgent first; empty if nothing was found.
std::vector<Advice> WhatToDoFirst(const RunStatistics& statistics);
// What is said below the advice, or instead of it.
std::vector<Paragraph> BelowAdvice(const RunStatistics& statistics, bool any_advice);

// Below, what several of them need.

inline constexpr size_t kShownClasses = 20;  // Before "show all".

// "No data: <why>. Save the collections ...": both parts without the period at the end.
Paragraph Missing(std::string_view why, std::string_view what_to_save);
inline constexpr char kSavePredictions[] =
    "Save the collections “predictions” and “labels” as full tensors, and pass validation_data to "
    "the hook";

// "Based on 60 rows of validation data at step 10, the last step with predictions." A warning if
// rows were left out.
Paragraph OfRows(int64_t rows, int64_t left_out, Step step);
std::string ClassName(int64_t label);  // "class 3".
// 0 if whole is 0.
double PercentOf(double part, double whole);
// At most so many indices below count, evenly spread, the first and the last among them. REQUIRES:
// most is 2 or more.
std::vector<size_t> SomeOf(size_t count, size_t most);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_XGBOOST_SECTIONS_H_
