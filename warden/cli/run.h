#ifndef WARDEN_CLI_RUN_H_
#define WARDEN_CLI_RUN_H_

// How commands open runs and explain what is wrong with a name. Messages are for people: they name
// what was given and what there is.

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

// A run that a command reads. Owns the store and the trial.
struct Run {
  std::string name;  // As the user gave it, for messages.
  std::shared_ptr<const storage::Store> store;
  std::unique_ptr<trial::Trial> trial;
};

// The store of a run. name: a folder, or what storage::OpenStore accepts. kNotFound if it does not
// exist or does not contain a run; the message names runs that are below it.
Result<std::shared_ptr<const storage::Store>> OpenRunStore(const std::string& name);

// The run as it is now, without waiting for more. Errors of OpenRunStore and of Trial::Open.
//
//   const auto run = OpenRun(options.run);
//   if (!run.ok()) return run.status();
//   TellProblems(run.value(), out);
Result<Run> OpenRun(const std::string& name);

// If files of the run could not be read, says how many and which command shows more.
void TellProblems(const Run& run, Output* out);

// kTensorUnavailable with the nearest names, if the run has no tensor of this name.
Status CheckTensor(const Run& run, const std::string& tensor);
// kNotFound with the names of the collections, if the run has none of this name.
Status CheckCollection(const Run& run, const std::string& collection);

// Global steps of the tensor in the mode: the complete ones, or all if none is complete. Empty for
// an unknown tensor.
std::vector<Step> StepsOfTensor(const trial::Trial& trial, std::string_view tensor, Mode mode);

// Finds the collections of a run that contain a tensor. A collection with an invalid pattern
// contains none. Compiles the patterns once, to ask for many tensors.
class CollectionFinder {
 public:
  explicit CollectionFinder(const config::Collections& collections);
  // Names of collections, in their order; empty if none contains it.
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
