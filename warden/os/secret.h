#ifndef WARDEN_OS_SECRET_H_
#define WARDEN_OS_SECRET_H_

// Passwords, keys and tokens: how they are held and how they are read from files. Used by the
// service's keys, by receivers of events and by actions that need a password.

#include <string>
#include <utility>

#include "warden/base/status.h"

namespace warden::os {

// A text that is used but never shown: nothing formats or serializes this type. A message, a log
// line or a JSON answer with one does not compile. The text stays in memory until the object is
// gone; it is not overwritten then. A plain value: copies are independent.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}

  bool empty() const { return text_.empty(); }
  // To be given to whoever needs it, never to a message.
  const std::string& Reveal() const { return text_; }

 private:
  std::string text_;
};

// What a small file holds, and whether its owner alone may read, write and execute it.
struct PrivateText {
  std::string text;
  // No permission for group or others.
  bool is_private = false;
};
// kNotFound, kIo; kInvalid if it is not a regular file or larger than 1 MB. Links are followed.
// Content and permissions are of the same opened file, so that nobody can exchange it in between.
// Never waits, even for a pipe.
Result<PrivateText> ReadPrivateText(const std::string& path);

// kInvalid, with a message that names the file and says how to make it private (chmod 600).
Status NotPrivate(const std::string& path);

// The file's content without the line ends at its end. kInvalid if others may read or change it, or
// if it is empty; otherwise errors as ReadPrivateText. No message repeats the content.
Result<Secret> ReadSecretFile(const std::string& path);

}  // namespace warden::os

#endif  // WARDEN_OS_SECRET_H_
