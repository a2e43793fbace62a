#ifndef WARDEN_DASHBOARD_SITE_RUN_RECORD_H_
#define WARDEN_DASHBOARD_SITE_RUN_RECORD_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::dashboard {

// What `warden run` says of a run in its folder, in warden/run.json:
// {"command": [...], "started": seconds, "ended": seconds, "exit_code": 0, "signal": null}; the
// last three when it is over.
struct RunRecord {
  std::vector<std::string> command;
  std::optional<double> started, ended;
  std::optional<int64_t> exit_code, signal;

  // "python train.py --lr 0.1".
  std::string CommandLine() const;
  // The command's options: "--lr 0.1", "--lr=0.1", "lr=0.1"; one without a value is "true".
  std::map<std::string, std::string> HyperParameters() const;
};

// Nothing if there is none, or if it is none.
std::optional<RunRecord> ReadRunRecord(const std::string& run);
// Replaces it, whole or not at all.
Status WriteRunRecord(const std::string& run, const RunRecord& record);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_RECORD_H_
