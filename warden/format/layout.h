#ifndef WARDEN_FORMAT_LAYOUT_H_
#define WARDEN_FORMAT_LAYOUT_H_

#include <optional>
#include <string>
#include <string_view>

#include "warden/base/types.h"

namespace warden::format {

// Where the files of a run are, relative to its folder. docs/formats/run.md draws the tree.

inline constexpr std::string_view kIndexPrefix = "index/";
inline constexpr std::string_view kEventsPrefix = "events/";
inline constexpr std::string_view kCollectionsPrefix = "collections/000000000/";
inline constexpr std::string_view kEndMarker = "training_job_end.ts";
inline constexpr std::string_view kClaim = "claim.smd";
// What only our program keeps with a run; the original does not look there.
inline constexpr std::string_view kOwnPrefix = "warden/";
// What rules say of the run.
inline constexpr std::string_view kRuleOutputPrefix = "rule-output/";

// "events/000000000007/000000000007_worker_0.tfevents". step is global; worker is the API's name
// ("worker_0", "/job:worker/replica:0/...") and is made fit for a file name here.
std::string EventFileKey(Step step, std::string_view worker);

// "index/000000000/000000000007_worker_0.json".
std::string IndexFileKey(Step step, std::string_view worker);

// "collections/000000000/worker_0_collections.json".
std::string ManifestKey(std::string_view worker);

// "TRAIN/000000000007_<pid>_<host>.tfevents", relative to the TensorBoard folder.
std::string TensorBoardKey(Mode mode, Step step, int pid, std::string_view host);

// What follows the last slash of a key.
std::string_view BaseName(std::string_view key);

// What the name of an event or index file says. Nothing for a name that is not "<digits>_<worker>"
// with the ending .json, .csv or .tfevents: such a file is none of ours and is passed over.
struct StepFileName {
  Step step = 0;
  std::string worker;
};
std::optional<StepFileName> ParseStepFileName(std::string_view key);

// The worker of a collections file, nothing if the name is not "<worker>_collections.json".
std::optional<std::string> ParseManifestKey(std::string_view key);

// A worker's name as file names carry it ('/' becomes '_', ':' becomes '-') and back. Only names
// that begin with '/' are changed.
std::string WorkerToFileName(std::string_view worker);
std::string WorkerFromFileName(std::string_view name);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_LAYOUT_H_
