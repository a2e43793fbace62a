#ifndef WARDEN_JOBS_EXEC_TYPED_LINES_H_
#define WARDEN_JOBS_EXEC_TYPED_LINES_H_

// From keys to the lines of the record (session_log.h). Used by Session.

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace warden::jobs {

// Makes lines of the keys that somebody types, for the record: what was erased is not in them, keys
// that are not characters are named ("<up>", "<tab>", "^R"), and a hidden line (a password) becomes
// "(not shown)". It sees keys, not what the shell makes of them: a command from the history is
// recorded as "<up>". For one thread.
//
//   TypedLines lines([](std::string line) { Record(line); });
//   lines.Add("lx\x7fs\r", /*hidden=*/false);  // Record("ls")
class TypedLines {
 public:
  // line: called from Add and Finish, with each line that is not empty, at most about 4 KB.
  explicit TypedLines(std::function<void(std::string)> line) : line_(std::move(line)) {}

  // Any bytes, in any pieces. hidden: the terminal does not echo them.
  void Add(std::string_view keys, bool hidden);
  // Records what was begun.
  void Finish();

 private:
  void Key(char key);        // One byte.
  void EscapeKey(char key);  // The next byte of a key that sends several.
  void RubOut();             // The last character.
  void EndLine();            // Passes it on.

  std::function<void(std::string)> line_;
  std::string text_;           // Of the line so far.
  std::string escape_;         // The first bytes of a key that sends several.
  bool hidden_ = false;        // A key of this line was hidden.
  bool after_return_ = false;  // '\n' after '\r' is the same line end.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_TYPED_LINES_H_
