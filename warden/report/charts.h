#ifndef WARDEN_REPORT_CHARTS_H_
#define WARDEN_REPORT_CHARTS_H_

// Charts with a summary and a table of their numbers, made from plain values. Every chart of a
// report is made here, so that the members that web/src/charts reads are written in one place. Used
// by the sections of both reports and by the panels of the dashboard. Pure functions; titles and
// names may be any text, since the page escapes them.
//
//   section.charts.push_back(PieChart("Time by phase", {{"forward", 3.2}, {"backward", 5.1}}));

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/report/report_document.h"

namespace warden::report {

// Nothing where nothing was measured; drawn as a gap.
using Values = std::vector<std::optional<double>>;

// A slice, a bar, a feature: a name and its number.
struct Named {
  std::string name;
  double value = 0;
};

// How a pie is shown.
struct PieLook {
  size_t most = 7;  // Slices; what is beyond is put together as "N others". REQUIRES: above 0.
  std::string_view unit = {};  // Of the values, shown next to the shares: "s"; empty: only shares.
  // Slices that are shown at first, if not 0: the page has a field to show more or fewer.
  size_t top = 0;
};
// Shares of a whole: values of any scale, 0 or more. Sorted as given.
Chart PieChart(std::string title, std::vector<Named> slices, const PieLook& look = {});
// Bars in the order given, so sort them; at most `most`, the rest as one. unit: as in WithUnit
// ("%"). REQUIRES: most > 0.
Chart BarsChart(std::string title, const std::vector<Named>& bars, const std::string& unit,
                size_t most = 15);

// How often values fall between edges.
struct Histogram {
  std::string name;
  Values edges;          // One more than shares.
  Values shares;         // Any scale; drawn as parts of their sum.
  Values expected = {};  // For comparison, on the same scale: a line over the middles of the bins.
};
// Several over one another. One whose edges do not fit its shares, or whose shares are all 0, is
// left out.
Chart HistogramChart(std::string title, std::string x_label, const std::vector<Histogram>& of);

// Quartiles and whiskers of one device; p95 is drawn as a mark if it is set.
struct Box {
  std::string label;
  double lower = 0, p25 = 0, p50 = 0, p75 = 0, upper = 0;
  std::optional<double> p95;
};
// A horizontal line with a name.
struct Threshold {
  double value = 0;
  std::string label;
};
// One box per device, in percent: the axis goes from 0 to 100.
Chart BoxChart(std::string title, std::string y_label, const std::vector<Box>& boxes,
               const std::vector<Threshold>& thresholds = {});

// A series over time, in seconds since 1970, or over something else that is counted: at equal
// distances, or at the positions in `times`. values, low, high and times have the same length where
// they are not empty.
struct Line {
  std::string name;
  double start = 0;
  double interval = 0;
  std::vector<double> times = {};  // If not empty, instead of start and interval.
  Values values = {};
  Values low = {}, high = {};  // Of the band around the values; empty: none.
  // Single points to show, such as the best step: time and value.
  std::vector<std::pair<double, double>> marks = {};
};
// The axes of a chart of lines.
struct LinesLook {
  std::string unit;           // "%", "B/s", "s".
  std::optional<double> top;  // Of the axis; else what the values need.
  double origin = 0;          // The axis counts from here.
  // The training loop, from when to when: shaded.
  std::optional<std::pair<double, double>> loop;
  std::string over = {};              // What is counted instead of time: "step", "class".
  std::optional<double> bottom = {};  // Of the axis; else 0.
};
// Several series in one chart. The table has a selection of at most some 120 values.
Chart LinesChart(std::string title, std::string y_label, const std::vector<Line>& lines,
                 const LinesLook& look);

// One row of a heat map: a device.
struct HeatRow {
  std::string name;
  Values values;
};
// In percent, columns at equal distances in time. start and origin are seconds since 1970, interval
// is in seconds; the axis counts from origin. All rows have as many values.
Chart HeatmapChart(std::string title, const std::vector<HeatRow>& rows, double start,
                   double interval, double origin);

// The same over steps, of numbers of any size: a row for each worker, a column for each step.
// Colors go from the smallest to the largest value, times from 0; of few values that are far above
// all others, those others decide. NaN and infinity have their own color. unit: as in WithUnit.
Chart StepMapChart(std::string title, const std::vector<HeatRow>& rows,
                   const std::vector<int64_t>& steps, const std::string& unit);

// A confusion matrix: counts has a row for each label and a column for each prediction, row after
// row. Rows that counts does not have are left out.
Chart MatrixChart(std::string title, const std::vector<std::string>& labels,
                  const std::vector<int64_t>& counts);

// What each threshold of a binary classifier would do; the chart has a handle to move it.
struct Thresholds {
  int64_t positives = 0, negatives = 0;
  struct Point {
    double threshold = 0;  // Infinite: nothing is taken for positive.
    int64_t true_positives = 0, false_positives = 0;
  };
  std::vector<Point> points = {};  // From the highest threshold to the lowest.
  size_t best = 0;                 // An index of points, where the handle is at first.
};
// The ROC curve with the chosen threshold.
Chart RocChart(std::string title, const Thresholds& thresholds);

// To four significant digits, as many as a reader can use: pages stay small. 0 for what is not
// finite.
double Rounded(double value);

}  // namespace warden::report

#endif  // WARDEN_REPORT_CHARTS_H_
