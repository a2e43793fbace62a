#ifndef WARDEN_REPORT_CHARTS_H_
#define WARDEN_REPORT_CHARTS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warden/report/report.h"

namespace warden::report {

// Charts with their summary and their figures as a table, of plain values. Every chart of a report
// is made here, so that the members that web/src/charts reads are written in one place.

using Values = std::vector<std::optional<double>>;  // Nothing where nothing was measured.

struct Named {
  std::string name;
  double value = 0;
};

// Shares of a whole; what is beyond `most` slices is put together as "other".
Chart PieChart(std::string title, std::vector<Named> slices, size_t most = 7);
// The longest first as given; unit as in "%".
Chart BarsChart(std::string title, const std::vector<Named>& bars, const std::string& unit,
                size_t most = 15);

struct Histogram {
  std::string name;
  Values edges;          // One more than shares.
  Values shares;         // Any scale; drawn as parts of their sum.
  Values expected = {};  // For comparison, on the same scale: a line over the middles of the bins.
};
Chart HistogramChart(std::string title, std::string x_label, const std::vector<Histogram>& of);

struct Box {
  std::string label;
  double lower = 0, p25 = 0, p50 = 0, p75 = 0, upper = 0;
  std::optional<double> p95;
};
struct Threshold {
  double value = 0;
  std::string label;
};
// In percent, from 0 to 100.
Chart BoxChart(std::string title, std::string y_label, const std::vector<Box>& boxes,
               const std::vector<Threshold>& thresholds = {});

// A series over time, in seconds since 1970, or over something else that is counted: at equal
// distances, or at places of its own.
struct Line {
  std::string name;
  double start = 0;
  double interval = 0;
  std::vector<double> times = {};  // If not empty, instead of start and interval.
  Values values = {};
  Values low = {}, high = {};                         // Of the band around the values; empty: none.
  std::vector<std::pair<double, double>> marks = {};  // Single points to show: time, value.
};
struct LinesLook {
  std::string unit;                               // "%", "B/s", "s".
  std::optional<double> top;                      // Of the axis; else what the values need.
  double origin = 0;                              // The axis counts from here.
  std::optional<std::pair<double, double>> loop;  // The training loop, from when to when.
  std::string over = {};              // What is counted instead of time: "step", "class".
  std::optional<double> bottom = {};  // Of the axis; else 0.
};
Chart LinesChart(std::string title, std::string y_label, const std::vector<Line>& lines,
                 const LinesLook& look);

struct HeatRow {
  std::string name;
  Values values;
};
// In percent, columns at equal distances in time.
Chart HeatmapChart(std::string title, const std::vector<HeatRow>& rows, double start,
                   double interval, double origin);

// How often what was taken for what: counts has a row for each label, a column for each prediction.
Chart MatrixChart(std::string title, const std::vector<std::string>& labels,
                  const std::vector<int64_t>& counts);

// What each threshold would do, with a handle to move it.
struct Thresholds {
  int64_t positives = 0, negatives = 0;
  struct Point {
    double threshold = 0;  // Infinite: nothing is taken for positive.
    int64_t true_positives = 0, false_positives = 0;
  };
  std::vector<Point> points = {};  // From the highest threshold to the lowest.
  size_t best = 0;
};
Chart RocChart(std::string title, const Thresholds& thresholds);

// With as many digits as a reader can use: pages stay small.
double Rounded(double value);

}  // namespace warden::report

#endif  // WARDEN_REPORT_CHARTS_H_
