#include "warden/jobs/slurm/slurm_end.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warden::jobs {

bool IsTimeOver(const SlurmEnd& end) { return end.state == "TIMEOUT" || end.state == "DEADLINE"; }

std::string WhyLost(const SlurmEnd& end, const std::string& host, const std::string& node) {
  const std::string where = node.empty() ? host : fmt::format("{} on {}", host, node);
  if (end.state.empty()) {
    return fmt::format("InternalServerError: host {} was lost: Slurm no longer knows job {}", where,
                       end.id);
  }
  const std::string ended = fmt::format("Slurm job {} ended with {}", end.id, end.state);
  if (end.state == "CANCELLED") {
    return fmt::format("AlgorithmError: canceled in Slurm: {}", ended);
  }
  if (end.state == "OUT_OF_MEMORY") {
    return fmt::format("AlgorithmError: out of memory in host {}: {}", where, ended);
  }
  if (end.state == "PREEMPTED") {
    return fmt::format("InternalServerError: preempted by another job: {}", ended);
  }
  if (end.state == "NODE_FAIL" || end.state == "BOOT_FAIL") {
    const std::string nodes = end.failed_nodes.empty()
                                  ? "a node"
                                  : fmt::format("node {}", fmt::join(end.failed_nodes, ", "));
    return fmt::format("InternalServerError: {} failed: {}", nodes, ended);
  }
  if (IsTimeOver(end)) return fmt::format("AlgorithmError: out of time: {}", ended);
  return fmt::format("InternalServerError: host {} was lost: {}{}{}", where, ended,
                     end.output.empty() ? "" : "; its last output: ", end.output);
}

std::string WhyRuleLost(const SlurmEnd& end) {
  if (end.state.empty()) {
    return fmt::format("InternalServerError: Slurm no longer knows job {} of the rule", end.id);
  }
  const char* what = end.state == "CANCELLED" ? "canceled in Slurm: " : "";
  return fmt::format("InternalServerError: {}Slurm job {} of the rule ended with {}", what, end.id,
                     end.state);
}

}  // namespace warden::jobs
