#ifndef WARDEN_REPORT_XGBOOST_SECTIONS_H_
#define WARDEN_REPORT_XGBOOST_SECTIONS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "warden/report/report.h"
#include "warden/report/xgboost/xgboost_report.h"

namespace warden::report::xgboost {

// The sections of the report, one function each. A section of which nothing was saved says in one
// line what to save.
Section JobSection(const XgboostInputs& inputs);
Section LabelsSection(const RunFigures& figures);
Section LossSection(const RunFigures& figures);
Section ImportanceSection(const RunFigures& figures);
Section ConfusionSection(const RunFigures& figures);
Section EvaluationSection(const RunFigures& figures);
Section ClassAccuracySection(const RunFigures& figures);
Section RocSection(const RunFigures& figures);
Section ResidualsSection(const RunFigures& figures);
Section BinsSection(const RunFigures& figures);
// Of a training whose predictions are neither classes nor values.
Section NoPredictionsSection(const RunFigures& figures);

std::vector<Advice> WhatToDoFirst(const RunFigures& figures);
// What is said below it, or instead of it.
std::vector<Paragraph> BelowAdvice(const RunFigures& figures, bool any_advice);

// Below, what several of them need.

inline constexpr size_t kShownClasses = 20;  // Before "show all".

// "No data: <why>. Save the collections ..."
Paragraph Missing(std::string_view why, std::string_view what_to_save);
inline constexpr char kSavePredictions[] =
    "Save the collections “predictions” and “labels” as full tensors, and pass validation_data to "
    "the hook";

// "Based on 60 rows of validation data at step 10, the last step with predictions."
Paragraph OfRows(int64_t rows, int64_t left_out, Step step);
std::string ClassName(int64_t label);  // "class 3".
double PercentOf(double part, double whole);
// At most so many places, evenly spread, the last one among them.
std::vector<size_t> SomeOf(size_t count, size_t most);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_SECTIONS_H_
