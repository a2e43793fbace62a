#ifndef WARDEN_VIEW_SERIES_WORKER_PLACE_H_
#define WARDEN_VIEW_SERIES_WORKER_PLACE_H_

#include <string>

#include "warden/trial/trial.h"

namespace warden::view {

// Where a worker runs, by what it has told among its facts (docs/formats/training.md). Empty: not
// told.
struct WorkerPlace {
  std::string host;  // As its timelines name it: "algo-2", "node-17".
  std::string node;  // As the system metrics of its machine name it, where that differs.
  std::string boot;  // The same for all processes of a machine, until that is started again.
};

// Reads the facts of the worker up to the first that name its host.
WorkerPlace PlaceOf(const trial::Trial& trial, const std::string& worker);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_WORKER_PLACE_H_
