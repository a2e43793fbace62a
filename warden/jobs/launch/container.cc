#include "warden/jobs/launch/container.h"

#include <set>

namespace warden::jobs {
namespace {

// Those that say where things are on this machine, which is another one inside.
const std::set<std::string> kOurs = {
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME"};

std::string NameOf(const ContainerRun& run) { return "warden-" + run.name; }

}  // namespace

std::vector<std::string> ContainerWords(const ContainerRun& run, const HostLayout& layout,
                                        const std::vector<OutputFolder>& outputs) {
  // Hosts of a job find each other at 127.0.0.1.
  std::vector<std::string> words = {run.container.runtime, "run",       "--rm", "--name",
                                    NameOf(run),           "--network", "host", "--workdir",
                                    "/opt/ml/code"};
  const auto mount = [&](const std::string& from, const std::string& to) {
    words.insert(words.end(), {"--mount", "type=bind,source=" + from + ",target=" + to});
  };
  mount(layout.agent() + "/opt/ml", "/opt/ml");
  for (const OutputFolder& output : outputs) mount(output.target, output.place.seen);
  for (const auto& [name, value] : run.variables) {
    if (!kOurs.contains(name)) words.insert(words.end(), {"--env", name});
  }
  words.insert(words.end(), run.container.options.begin(), run.container.options.end());
  if (!run.entry_point.empty())
    words.insert(words.end(), {"--entrypoint", run.entry_point.front()});
  words.push_back(run.container.image);
  if (run.entry_point.empty() && run.arguments.empty()) words.emplace_back("train");
  if (!run.entry_point.empty()) {
    words.insert(words.end(), run.entry_point.begin() + 1, run.entry_point.end());
  }
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  return words;
}

std::vector<std::string> ContainerCleaning(const ContainerRun& run) {
  return {run.container.runtime, "rm", "--force", NameOf(run)};
}

}  // namespace warden::jobs
