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

// A run that a command looks into.
struct Run {
  std::string name;  // As the user gave it.
  std::shared_ptr<const storage::Store> store;
  std::unique_ptr<trial::Trial> trial;
};

// The store of a run. kNotFound if there is no such folder or nothing in it is a run's.
Result<std::shared_ptr<const storage::Store>> OpenRunStore(const std::string& name);

// What is there now, without waiting for anything.
Result<Run> OpenRun(const std::string& name);

// Folders of runs: the given one, or those found one or two levels below it, sorted.
std::vector<std::string> FindRuns(const std::string& name);

// Tells, if files of the run could not be used, how many and where to learn more.
void TellProblems(const Run& run, Output* out);

// kTensorUnavailable with the nearest names, if the run has no tensor of this name.
Status CheckTensor(const Run& run, const std::string& tensor);
// kNotFound with the names there are, if the run has no collection of this name.
Status CheckCollection(const Run& run, const std::string& collection);

// Global steps of the tensor in the mode: complete ones, or, if there is none, what there is.
std::vector<Step> StepsOfTensor(const trial::Trial& trial, std::string_view tensor, Mode mode);

// Tells which collections of a run hold a tensor. A collection with a pattern that does not compile
// holds none.
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
