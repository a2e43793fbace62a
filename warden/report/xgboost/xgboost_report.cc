#include "warden/report/xgboost/xgboost_report.h"

#include "warden/base/json.h"
#include "warden/report/put_text.h"
#include "warden/report/report_document.h"
#include "warden/report/words.h"
#include "warden/report/xgboost/xgboost_sections.h"
#include "warden/storage/store.h"

namespace warden::report {
namespace {

constexpr char kValuesFile[] = "xgboost_report.json";
constexpr char kNotebook[] = "xgboost_report.ipynb";

Json JsonOf(const XgboostInputs& inputs) {
  Json json = xgboost::ToJson(inputs.statistics);
  json["job"] = {{"name", inputs.job.name},
                 {"folder", inputs.job.folder},
                 {"command", inputs.job.command},
                 {"still_running", inputs.job.still_running},
                 {"written_at", inputs.job.written_at}};
  return json;
}

}  // namespace

Report BuildXgboostReport(const XgboostInputs& inputs) {
  const xgboost::RunStatistics& statistics = inputs.statistics;
  Report report;
  report.title = "XGBoost training report";
  report.subtitle = inputs.job.name.empty() ? inputs.job.folder : inputs.job.name;
  report.still_running = inputs.job.still_running;
  report.written_at = UtcTime(inputs.job.written_at);
  report.values_at = kValuesFile;
  report.first = xgboost::WhatToDoFirst(statistics);
  report.no_advice = xgboost::BelowAdvice(statistics, !report.first.empty());
  report.sections = {xgboost::JobSection(inputs), xgboost::LabelsSection(statistics),
                     xgboost::LossSection(statistics), xgboost::ImportanceSection(statistics)};
  if (xgboost::Classifies(statistics.recognised.task)) {
    report.sections.push_back(xgboost::ConfusionSection(statistics));
    report.sections.push_back(xgboost::EvaluationSection(statistics));
    report.sections.push_back(xgboost::ClassAccuracySection(statistics));
    report.sections.push_back(xgboost::RocSection(statistics));
  } else if (statistics.recognised.task == xgboost::Task::kRegression) {
    report.sections.push_back(xgboost::ResidualsSection(statistics));
    report.sections.push_back(xgboost::BinsSection(statistics));
  } else {
    report.sections.push_back(xgboost::NoPredictionsSection(statistics));
  }
  return report;
}

Status WriteXgboostReport(const std::string& folder, const XgboostInputs& inputs) {
  auto store = storage::OpenStore(folder);
  if (!store.ok()) return store.status();
  const Report report = BuildXgboostReport(inputs);
  const std::string json =
      JsonOf(inputs).dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  Status put = PutText(store.value().get(), kValuesFile, json + "\n");
  if (!put.ok()) return put;
  put = PutText(store.value().get(), kNotebook,
                NotebookOf(report, {kValuesFile, "XgboostReport",
                                    "To read the run again, set RUN to its folder."}));
  if (!put.ok()) return put;
  return PutText(store.value().get(), kXgboostPage, ToHtml(report));
}

}  // namespace warden::report
