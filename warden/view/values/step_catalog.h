#ifndef WARDEN_VIEW_VALUES_STEP_CATALOG_H_
#define WARDEN_VIEW_VALUES_STEP_CATALOG_H_

// Which steps there are, without reading a single file: pages about values begin with it.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::view {

// Which steps a run has saved and by which workers, from the names of its index files alone: a
// million steps are listed in a second or two and kept in 20 MB. A snapshot, which does not change
// and is safe for many threads; later ones share the folders in which nothing happened. RunValues
// takes one for each query. Works on local folders only, unlike the rest of view/values, since a
// store cannot say which folder has changed.
class StepCatalog {
 public:
  // The index files below root, a local folder whose path ends in '/'. before: an earlier catalog
  // of the same root, or null; what it knew is not read again. A run without any files is an empty
  // catalog. Files that are not where a hook writes them are ignored. kIo if a folder cannot be
  // read. A folder that changed within the last two seconds is read again the next time: file
  // systems with a coarse clock would not show a second change.
  static Result<std::shared_ptr<const StepCatalog>> Take(
      const std::string& root, const std::shared_ptr<const StepCatalog>& before);

  // Number of steps. Positions are 0 to size() - 1, ascending by step.
  size_t size() const { return begins_.back(); }
  // The global step at a position. REQUIRES: place < size(). Binary search over folders, as
  // PlaceOf.
  Step StepAt(size_t place) const;
  // The position of the first step that is not before this one; size() if there is none.
  size_t PlaceOf(Step step) const;

  // An index file of a step.
  struct File {
    std::string worker;  // Who wrote it.
    std::string key;     // In the store of the run.
  };
  // The files of a step, by the names of the workers; at least one. REQUIRES: place < size().
  std::vector<File> FilesAt(size_t place) const;
  // All workers that wrote anything, sorted.
  std::vector<std::string> Workers() const;

 private:
  struct Entry {
    Step step = 0;
    uint32_t worker = 0;
    bool csv = false;  // The ending that old versions of the original gave.
  };
  struct Folder {
    std::string name;  // "000000012/".
    int64_t changed_ns = 0;
    // What came after it was read would have changed changed_ns.
    bool settled = false;
    std::vector<Entry> entries;
    std::vector<uint32_t> starts;  // The first entry of each step.
    std::vector<std::string> workers;
  };
  using FolderPtr = std::shared_ptr<const Folder>;

  static Result<FolderPtr> ReadOne(const std::string& root, const std::string& name,
                                   const FolderPtr& before);
  static void AddFile(const std::string& key, std::map<std::string, uint32_t>* ids, Folder* folder);
  FolderPtr FolderNamed(const std::string& name) const;
  // Its number in folders_.
  size_t FolderOf(size_t place) const;

  std::vector<FolderPtr> folders_;    // None empty, by their steps.
  std::vector<size_t> begins_ = {0};  // The place at which each begins, and the end of all.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_STEP_CATALOG_H_
