#ifndef WARDEN_CLI_LAUNCH_OUTPUT_COPIER_H_
#define WARDEN_CLI_LAUNCH_OUTPUT_COPIER_H_

// The work of the process of OutputTee. Only for output_tee.cc and tests.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/jobs/logs/log_file.h"

namespace warden::cli {

// Copies what comes from pipes or terminals to descriptors and to a log. For one thread, whose
// signals are blocked.
class OutputCopier {
 public:
  // log: null if it cannot be written; the output is passed on all the same.
  explicit OutputCopier(std::unique_ptr<jobs::LogWriter> log) : log_(std::move(log)) {}
  // from: to read from, set to not block. to: to write to. Both are closed when nobody writes to
  // `from` any more, or nobody reads from `to`.
  void Add(int from, int to) { streams_.push_back({from, to, {}}); }
  // Until no stream is left. A byte on `control` asks for an answer, one byte, once all that was
  // written before is copied.
  void Run(int control);

 private:
  struct Stream {
    int from = -1;
    int to = -1;
    std::string line;  // Not complete yet.
  };
  // False if the stream has ended. *any: whether something was there.
  bool Copy(Stream* stream, bool* any);
  // Lines of the streams do not mix in the log.
  void Keep(Stream* stream, std::string_view piece);
  void End(Stream* stream);

  const std::unique_ptr<jobs::LogWriter> log_;
  std::vector<Stream> streams_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_OUTPUT_COPIER_H_
