#ifndef WARDEN_VIEW_SERIES_PROBLEMS_H_
#define WARDEN_VIEW_SERIES_PROBLEMS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warden::view {

// What could not be read of a run: so much as a person can read, the rest counted.
class Problems {
 public:
  static constexpr size_t kMost = 100;

  // What is wrong with something, in place of what was.
  void Set(std::string_view what, std::string message);
  // It is well now.
  void Clear(std::string_view what);

  std::vector<std::string> Tell() const;

 private:
  std::map<std::string, std::string, std::less<>> messages_;
  size_t more_ = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_PROBLEMS_H_
