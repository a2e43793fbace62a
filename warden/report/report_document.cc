#include "warden/report/report_document.h"

namespace warden::report {

std::string_view ChartKindName(ChartKind kind) {
  switch (kind) {
    case ChartKind::kPie: return "pie";
    case ChartKind::kBars: return "bars";
    case ChartKind::kHistogram: return "histogram";
    case ChartKind::kBox: return "box";
    case ChartKind::kLines: return "lines";
    case ChartKind::kHeatmap: return "heatmap";
    case ChartKind::kMatrix: return "matrix";
    case ChartKind::kRoc: return "roc";
  }
  return "bars";
}

}  // namespace warden::report
