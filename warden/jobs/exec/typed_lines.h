#ifndef WARDEN_JOBS_EXEC_TYPED_LINES_H_
#define WARDEN_JOBS_EXEC_TYPED_LINES_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace warden::jobs {

// Makes lines of the keys that somebody types, for the record: what was rubbed out is not in them,
// keys that are no letters are named ("<up>", "<tab>", "^R"), and of a line that was not to be seen
// only that there was one.
class TypedLines {
 public:
  explicit TypedLines(std::function<void(std::string)> line) : line_(std::move(line)) {}

  // hidden: the terminal does not show them.
  void Add(std::string_view keys, bool hidden);
  // Tells what was begun.
  void Finish();

 private:
  void Key(char key);
  void EscapeKey(char key);
  void RubOut();
  void EndLine();

  std::function<void(std::string)> line_;
  std::string text_;
  std::string escape_;  // What has come of a key that sends several bytes.
  bool hidden_ = false;
  bool after_return_ = false;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_TYPED_LINES_H_
