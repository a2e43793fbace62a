#ifndef WARDEN_CLI_RUN_H_
#define WARDEN_CLI_RUN_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/cli/output.h"
#include "warden/config/collection.h"
#include "warden/storage/store.h"
#include "warden/trial/trial.h"

namespace warden::cli {

// A run that a command reads.
struct Run {
  std::string name;  // As the user gave it.
  std::shared_ptr<const storage::Store> store;
  std::unique_ptr<trial::Trial> trial;
};

// The store of a run. kNotFound if the folder does not exist or does not contain a run.
Result<std::shared_ptr<const storage::Store>> OpenRunStore(const std::string& name);

// The run as it is now, without waiting.
Result<Run> OpenRun(const std::string& name);

// Folders of runs: the given one, or those found one or two levels below it, sorted.
std::vector<std::string> FindRuns(const std::string& name);

// If files of the run could not be read, tells how many and which command shows more.
void TellProblems(const Run& run, Output* out);

// kTensorUnavailable with the nearest names, if the run has no tensor of this name.
Status CheckTensor(const Run& run, const std::string& tensor);
// kNotFound with the names of the collections, if the run has none of this name.
Status CheckCollection(const Run& run, const std::string& collection);

// Global steps of the tensor in the mode: the complete ones, or all if none is complete.
std::vector<Step> StepsOfTensor(const trial::Trial& trial, std::string_view tensor, Mode mode);

// Finds the collections of a run that contain a tensor. A collection with an invalid pattern
// contains none.
class CollectionFinder {
 public:
  explicit CollectionFinder(const config::Collections& collections);
  std::vector<std::string> Find(std::string_view tensor) const;

 private:
  struct Named {
    std::string name;
    config::CollectionMatcher matcher;
  };
  std::vector<Named> collections_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_RUN_H_
