#ifndef WARDEN_TRIAL_RUN_RECORD_H_
#define WARDEN_TRIAL_RUN_RECORD_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::trial {

// What `warden run` records of a run in its folder, in warden/run.json: {"command": [...],
// "started": seconds, "ended": seconds, "exit_code": 0, "signal": null}; the last three when it is
// over. Written by the command line at the start and at the end of a training; read by the
// dashboard, which shows it for runs that are not jobs. Times are seconds since 1970. A record
// without `ended` is of a training that still runs, or of a `warden run` that was killed.
struct RunRecord {
  std::vector<std::string> command;
  std::optional<double> started, ended;
  std::optional<int64_t> exit_code, signal;

  // "python train.py --lr 0.1": for people, without quotes around words that have blanks.
  std::string CommandLine() const;
  // The command's options: "--lr 0.1", "--lr=0.1", "lr=0.1"; one without a value is "true". A
  // guess: the words of the command are not ours.
  std::map<std::string, std::string> HyperParameters() const;
  // What the command runs, as far as its words show: "train.py" of "python -u train.py --lr 0.1",
  // "package.train" of "python -m package.train", else its program. Empty without a command.
  std::string Script() const;
};

// Whether two scripts are the same. Absolute paths are compared as a whole, others by their last
// part: people start a script from different folders.
bool IsSameScript(const std::string& a, const std::string& b);

// Where `warden run` keeps what the training prints, as a log of jobs/logs. run: its folder.
std::string LogFolder(const std::string& run);
// The same, relative to the run.
inline constexpr std::string_view kLogFolder = "warden/log";

// run: the folder of tensors. Nothing if there is none, or if it cannot be parsed.
std::optional<RunRecord> ReadRunRecord(const std::string& run);
// Replaces it, as a whole or not at all. Errors are those of storage::OpenStore and Store::Put.
Status WriteRunRecord(const std::string& run, const RunRecord& record);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_RUN_RECORD_H_
