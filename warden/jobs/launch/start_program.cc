#include "warden/jobs/launch/start_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "warden/base/strings.h"
#include "warden/os/posix.h"
#include "warden/os/program.h"

namespace warden::jobs {

std::vector<std::string> FilesFor(const std::string& word,
                                  const std::vector<std::string>& environment) {
  if (word.find('/') != std::string::npos) return {word};
  std::vector<std::string> files;
  for (const std::string& variable : environment) {
    if (!variable.starts_with("PATH=")) continue;
    for (const std::string& folder : SplitTrimmed(variable.substr(5), ':')) {
      files.push_back(folder + "/" + word);
    }
  }
  return files;
}

std::string ProgramOnPath(const std::string& word) {
  if (word.empty() || word.find('/') != std::string::npos) return word;
  const char* path = std::getenv("PATH");
  for (const std::string& file :
       FilesFor(word, {std::string("PATH=") + (path == nullptr ? "" : path)})) {
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

Result<pid_t> StartProgram(const ProgramToStart& program) {
  const os::UniqueFd input(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!input.ok()) return os::IoError("open", "/dev/null", errno);
  os::Program child;
  child.words = program.words;
  child.files = FilesFor(program.words.front(), program.environment);
  child.environment = program.environment;
  child.folder = program.directory;
  child.input = input.get();
  child.output = program.output;
  child.errors = program.output;
  child.group = os::Program::Group::kOwn;
  child.last_signal = program.last_signal;
  child.last_steps = [members = program.members] {
    // A group that takes no members is no reason to fail: descendants are looked for then.
    if (members >= 0) (void)!write(members, "0", 1);
  };
  const os::Started started = os::StartProgram(std::move(child));
  if (started.pid > 0) return started.pid;
  if (!started.tried) return os::IoError("start", program.words.front(), started.error);
  return Status(Code::kInvalid, fmt::format("cannot run {} in {}: {}", program.words.front(),
                                            program.directory, os::ErrorText(started.error)));
}

}  // namespace warden::jobs
