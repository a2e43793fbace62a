#include "warden/base/json.h"
#include "warden/report/report_document.h"

namespace warden::report {
namespace {

std::string_view ToneName(Tone tone) {
  switch (tone) {
    case Tone::kPlain: return "plain";
    case Tone::kGood: return "good";
    case Tone::kWarning: return "warning";
    case Tone::kQuiet: return "quiet";
  }
  return "plain";
}

Json JsonOf(const Paragraph& paragraph) {
  return {{"text", paragraph.text}, {"tone", ToneName(paragraph.tone)}};
}

Json JsonOf(const Table& table) {
  return {{"caption", table.caption},
          {"columns", table.columns},
          {"rows", table.rows},
          {"numeric", table.numeric},
          {"shown", table.shown}};
}

Json JsonOf(const Chart& chart) {
  return {{"kind", ChartKindName(chart.kind)},
          {"title", chart.title},
          {"x_label", chart.x_label},
          {"y_label", chart.y_label},
          {"summary", chart.summary},
          {"data", chart.data == nullptr ? Json(nullptr) : *chart.data},
          {"table", JsonOf(chart.table)}};
}

Json JsonOf(const Advice& advice) {
  return {{"title", advice.title},
          {"text", advice.text},
          {"gain", advice.gain},
          {"section", advice.section}};
}

Json JsonOf(const Section& section) { return ToJson(section); }

template <class T>
Json ListOf(const std::vector<T>& all) {
  Json list = Json::array();
  for (const T& one : all) list.push_back(JsonOf(one));
  return list;
}

}  // namespace

Json ToJson(const Section& section) {
  return {{"id", section.id},
          {"title", section.title},
          {"text", ListOf(section.text)},
          {"tables", ListOf(section.tables)},
          {"charts", ListOf(section.charts)},
          {"parts", ListOf(section.parts)}};
}

Json ToJson(const Report& report) {
  return {{"title", report.title},
          {"subtitle", report.subtitle},
          {"still_running", report.still_running},
          {"first", ListOf(report.first)},
          {"no_advice", ListOf(report.no_advice)},
          {"sections", ListOf(report.sections)},
          {"written_at", report.written_at}};
}

}  // namespace warden::report
