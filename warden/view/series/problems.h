#ifndef WARDEN_VIEW_SERIES_PROBLEMS_H_
#define WARDEN_VIEW_SERIES_PROBLEMS_H_

// Problems of a run for users, by what has them, so that a problem that is gone disappears.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warden::view {

// What could not be read of a run, as texts for users: at most kMost, the rest counted. Not safe
// for threads; RunSeries guards it.
class Problems {
 public:
  static constexpr size_t kMost = 100;  // As much as a person reads.

  // Sets what is wrong with something, replacing what was. what: identifies it, such as a file's
  // key. The same thing twice is one problem, with the later message.
  void Set(std::string_view what, std::string message);
  // It is fine now. Nothing happens if it was.
  void Clear(std::string_view what);

  // The messages by `what`, and "n more problems" if there were too many. A copy, sorted by `what`.
  std::vector<std::string> Tell() const;

 private:
  std::map<std::string, std::string, std::less<>> messages_;
  size_t more_ = 0;  // Beyond kMost; never goes down.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_PROBLEMS_H_
