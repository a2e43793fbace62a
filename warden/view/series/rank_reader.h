#ifndef WARDEN_VIEW_SERIES_RANK_READER_H_
#define WARDEN_VIEW_SERIES_RANK_READER_H_

#include <optional>
#include <string>
#include <vector>

#include "warden/trial/trial.h"
#include "warden/view/series/rank_list.h"

namespace warden::view {

// A number of each worker over the steps of a run.
struct RankMap {
  std::string title;        // "Step time".
  std::string unit;         // "s", or empty.
  std::vector<Step> steps;  // Where columns begin, ascending.
  struct Row {
    std::string worker;
    std::vector<std::optional<double>> values = {};  // One for each column; nothing: not saved.
  };
  std::vector<Row> rows;  // By rank.
};

// What each worker spent its steps on, from the files of a run: for those who want nothing else of
// it. At most 2000 steps are read, spread evenly over the run. By rank; empty if fewer than two
// workers saved step times. What cannot be read is left out.
//
// maps: null, or becomes what at least two of the first 128 workers have saved of step times, waits
// for others, losses and the norm of all gradients, with at most 80 columns. Of times, a column has
// the largest value of the steps up to the next one; of the others, that of its step.
std::vector<Rank> ReadRanks(const trial::Trial& trial, std::vector<RankMap>* maps = nullptr);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_RANK_READER_H_
