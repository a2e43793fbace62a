// The input as a file of system metrics. Whole lines come out the same whether they are read at
// once or in two pieces, and every column is as long as the others.

#include "fuzz/check.h"
#include "warden/timeline/metric_table.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using warden::timeline::MetricTable;
  using warden::timeline::ReadMetricText;
  const std::string_view text = warden::fuzz::Text(data, size);
  const MetricTable whole = ReadMetricText(text, {});
  warden::fuzz::Check(whole.values.size() == whole.size() && whole.nodes.size() == whole.size() &&
                      whole.types.size() == whole.size() && whole.metrics.size() == whole.size());
  for (const auto id : whole.metrics) warden::fuzz::Check(id < whole.names.size());
  const size_t middle = text.substr(0, size / 2).rfind('\n');
  if (middle == std::string_view::npos) return 0;
  const MetricTable first = ReadMetricText(text.substr(0, middle + 1), {});
  const MetricTable second = ReadMetricText(text.substr(middle + 1), {});
  warden::fuzz::Check(first.size() + second.size() == whole.size());
  return 0;
}
