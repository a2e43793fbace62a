#ifndef WARDEN_CLI_TEXT_TARGET_H_
#define WARDEN_CLI_TEXT_TARGET_H_

#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/cli/output.h"
#include "warden/storage/store.h"

namespace warden::cli {

// Text that grows, to standard output or to a file that appears when it is complete. For the
// exports, and everything else with --out. For one thread.
//
//   auto target = TextTarget::Open(options.out, out);
//   if (!target.ok()) return target.status();
//   target.value().Write("a,b\n");
//   return target.value().Finish();
//
// Written in blocks of 256 KB. A file that exists stays as it is until Finish() replaces it.
class TextTarget {
 public:
  // path "-" is standard output; other paths are files, whose folder is created if missing.
  // kInvalid if the path cannot be a file; other errors are those of the storage. out outlives it.
  static Result<TextTarget> Open(const std::string& path, Output* out);

  // Buffered. Errors are kept: check ok() in long loops, to stop early. After the first error
  // nothing is written any more.
  void Write(std::string_view text);
  // The first error of all writes; makes the file appear if there was none. Without it there is no
  // file.
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
