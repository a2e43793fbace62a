#include "warden/report/xgboost/xgboost_report.h"

#include "warden/base/json.h"
#include "warden/report/put_text.h"
#include "warden/report/report_notebook.h"
#include "warden/report/words.h"
#include "warden/report/xgboost/sections.h"
#include "warden/storage/store.h"

namespace warden::report {
namespace {

constexpr char kFigures[] = "xgboost_report.json";
constexpr char kNotebook[] = "xgboost_report.ipynb";

Json FiguresOf(const XgboostInputs& inputs) {
  Json json = xgboost::ToJson(inputs.figures);
  json["job"] = {{"name", inputs.job.name},
                 {"folder", inputs.job.folder},
                 {"command", inputs.job.command},
                 {"still_running", inputs.job.still_running},
                 {"written_at", inputs.job.written_at}};
  return json;
}

}  // namespace

Report BuildXgboostReport(const XgboostInputs& inputs) {
  const xgboost::RunFigures& figures = inputs.figures;
  Report report;
  report.title = "XGBoost training report";
  report.subtitle = inputs.job.name.empty() ? inputs.job.folder : inputs.job.name;
  report.still_running = inputs.job.still_running;
  report.written_at = UtcTime(inputs.job.written_at);
  report.figures = kFigures;
  report.first = xgboost::WhatToDoFirst(figures);
  report.no_advice = xgboost::BelowAdvice(figures, !report.first.empty());
  report.sections = {xgboost::JobSection(inputs), xgboost::LabelsSection(figures),
                     xgboost::LossSection(figures), xgboost::ImportanceSection(figures)};
  if (xgboost::Classifies(figures.recognised.task)) {
    report.sections.push_back(xgboost::ConfusionSection(figures));
    report.sections.push_back(xgboost::EvaluationSection(figures));
    report.sections.push_back(xgboost::ClassAccuracySection(figures));
    report.sections.push_back(xgboost::RocSection(figures));
  } else if (figures.recognised.task == xgboost::Task::kRegression) {
    report.sections.push_back(xgboost::ResidualsSection(figures));
    report.sections.push_back(xgboost::BinsSection(figures));
  } else {
    report.sections.push_back(xgboost::NoPredictionsSection(figures));
  }
  return report;
}

Status WriteXgboostReport(const std::string& folder, const XgboostInputs& inputs) {
  auto store = storage::OpenStore(folder);
  if (!store.ok()) return store.status();
  const Report report = BuildXgboostReport(inputs);
  const std::string json =
      FiguresOf(inputs).dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  Status put = PutText(store.value().get(), kFigures, json + "\n");
  if (!put.ok()) return put;
  put = PutText(store.value().get(), kNotebook,
                NotebookOf(report, {kFigures, "XgboostReport",
                                    "To read the run again, set RUN to its folder."}));
  if (!put.ok()) return put;
  return PutText(store.value().get(), kXgboostPage, ToHtml(report));
}

}  // namespace warden::report
