#ifndef WARDEN_VIEW_SERIES_RANK_READER_H_
#define WARDEN_VIEW_SERIES_RANK_READER_H_

#include <vector>

#include "warden/trial/trial.h"
#include "warden/view/series/rank_list.h"

namespace warden::view {

// What each worker spent its steps on, from the files of a run: for those who want nothing else of
// it. At most 2000 steps are read, spread evenly over the run. By rank; empty if fewer than two
// workers saved step times. What cannot be read is left out.
std::vector<Rank> ReadRanks(const trial::Trial& trial);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_RANK_READER_H_
