#ifndef WARDEN_FORMAT_LAYOUT_H_
#define WARDEN_FORMAT_LAYOUT_H_

#include <optional>
#include <string>
#include <string_view>

#include "warden/base/types.h"

namespace warden::format {

// Where the files of a run are, relative to its folder: keys of a storage::Store. Everybody who
// writes or reads runs takes the names from here. docs/formats/run.md draws the tree. Pure
// functions, safe for many threads.
//
//   store.ReadAll(IndexFileKey(7, "worker_0"));  // index/000000000/000000000007_worker_0.json
//   ParseStepFileName(key)->step;                // 7

inline constexpr std::string_view kIndexPrefix = "index/";    // One file for each step and worker.
inline constexpr std::string_view kEventsPrefix = "events/";  // The values, likewise.
inline constexpr std::string_view kCollectionsPrefix = "collections/000000000/";  // Manifests.
// Its presence says that the training has ended and no more steps will come.
inline constexpr std::string_view kEndMarker = "training_job_end.ts";
// Names the process that writes (capture/claim.h).
inline constexpr std::string_view kClaim = "claim.smd";
// What only our program keeps with a run; the original does not look there.
inline constexpr std::string_view kOwnPrefix = "warden/";
// What rules say of the run.
inline constexpr std::string_view kRuleOutputPrefix = "rule-output/";

// "events/000000000007/000000000007_worker_0.tfevents". step is global and at least 0; worker is
// the API's name ("worker_0", "/job:worker/replica:0/...") and is made fit for a file name here.
std::string EventFileKey(Step step, std::string_view worker);

// "index/000000000/000000000007_worker_0.json": a folder for each thousand steps. Keys sort by
// step as long as steps have at most 12 digits.
std::string IndexFileKey(Step step, std::string_view worker);

// "collections/000000000/worker_0_collections.json".
std::string ManifestKey(std::string_view worker);

// "TRAIN/000000000007_<pid>_<host>.tfevents", relative to the TensorBoard folder. Process and host
// keep the files of several workers apart.
std::string TensorBoardKey(Mode mode, Step step, int pid, std::string_view host);

// What follows the last slash of a key; all of it without one. A view into key.
std::string_view BaseName(std::string_view key);

// What the name of an event or index file says. Nothing for a name that is not "<digits>_<worker>"
// with the ending .json, .csv or .tfevents: such a file belongs to somebody else and is skipped.
// Only the name counts, not the folder.
struct StepFileName {
  Step step = 0;       // Global.
  std::string worker;  // The API's name, turned back from the file name's.
};
std::optional<StepFileName> ParseStepFileName(std::string_view key);

// The worker of a collections file (manifest), nothing if the name is not
// "<worker>_collections.json".
std::optional<std::string> ParseManifestKey(std::string_view key);

// A worker's name as file names carry it ('/' becomes '_', ':' becomes '-') and back. Only names
// that begin with '/' are changed, or, on the way back, with '_'. A device's name that has '_' or
// '-' in it does not survive both ways; the original's does not either.
std::string WorkerToFileName(std::string_view worker);
std::string WorkerFromFileName(std::string_view name);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_LAYOUT_H_
