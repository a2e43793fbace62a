#ifndef WARDEN_OS_SECRET_H_
#define WARDEN_OS_SECRET_H_

#include <string>
#include <utility>

#include "warden/base/status.h"

namespace warden::os {

// A text that is used but never shown: nothing formats or serializes this type.
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

// A small file, with whether others than its owner may read it.
struct PrivateText {
  std::string text;
  bool is_private = false;
};
// kNotFound, kIo; kInvalid if it is not a regular file or larger than 1 MB.
Result<PrivateText> ReadPrivateText(const std::string& path);

// "PATH can be read by others; make it private: chmod 600 PATH".
Status NotPrivate(const std::string& path);

// The file's content without the line end. kInvalid if others may read it, or if it is empty.
Result<Secret> ReadSecretFile(const std::string& path);

}  // namespace warden::os

#endif  // WARDEN_OS_SECRET_H_
