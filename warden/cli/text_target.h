#ifndef WARDEN_CLI_TEXT_TARGET_H_
#define WARDEN_CLI_TEXT_TARGET_H_

#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/cli/output.h"
#include "warden/storage/store.h"

namespace warden::cli {

// Text that grows, to standard output or to a file that appears when it is whole.
class TextTarget {
 public:
  // path "-" is standard output.
  static Result<TextTarget> Open(const std::string& path, Output* out);

  void Write(std::string_view text);
  // The first error of all writes; makes the file appear if there was none.
  Status Finish();
  bool ok() const { return status_.ok(); }
  Status status() const { return status_; }

 private:
  void Flush();

  Output* out_ = nullptr;
  std::shared_ptr<storage::Store> store_;  // Null: standard output.
  std::unique_ptr<storage::ObjectWriter> writer_;
  std::string buffer_;
  Status status_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_TEXT_TARGET_H_
