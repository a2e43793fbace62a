#include "warden/storage/spool/uploader.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "warden/base/json.h"
#include "warden/os/posix.h"
#include "warden/os/program.h"
#include "warden/os/whole_file.h"
#include "warden/storage/spool/process_lock.h"

namespace warden::storage::spool {
namespace {

namespace fs = std::filesystem;

constexpr char kProgram[] = "warden";
// "bin" in the package itself, or in the environment that has "lib/python3.11/site-packages".
constexpr int kMostFoldersAbove = 6;

constexpr size_t kMostStateBytes = 1 << 20;

bool IsExecutable(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::string OwnLibrary() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&FindWarden), &info) == 0) return "";
  return info.dli_fname == nullptr ? "" : info.dli_fname;
}

}  // namespace

std::optional<std::string> FindWarden() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (self.filename() == kProgram) return self.string();
  fs::path folder = fs::absolute(OwnLibrary(), error).lexically_normal().parent_path();
  for (int i = 0; i < kMostFoldersAbove && folder.has_relative_path(); ++i) {
    if (fs::path program = folder / "bin" / kProgram; IsExecutable(program)) return program;
    folder = folder.parent_path();
  }
  const char* variable = std::getenv("PATH");
  std::string_view path = variable == nullptr ? "" : variable;
  while (!path.empty()) {
    const size_t colon = path.find(':');
    if (fs::path program = fs::path(path.substr(0, colon)) / kProgram; IsExecutable(program)) {
      return fs::absolute(program, error);
    }
    path.remove_prefix(colon == path.npos ? path.size() : colon + 1);
  }
  return std::nullopt;
}

Status StartUploader(const SpooledRun& run) {
  if (LockHolder(run.UploaderLock()) != 0) return Status();
  const auto warden = FindWarden();
  if (!warden) {
    return Status(Code::kNotFound,
                  "the program `warden` was not found on the PATH or next to this library");
  }
  const os::UniqueFd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const os::UniqueFd log(
      open(run.LogFile().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!nothing.ok() || !log.ok()) return os::IoError("open", run.LogFile(), errno);
  os::Program program;
  program.words = {*warden, "upload", "--follow", "--spool", run.folder};
  program.input = nothing.get();
  program.output = log.get();
  program.errors = log.get();
  program.group = os::Program::Group::kOwnSession;
  program.detached = true;
  const os::Started started = os::StartProgram(std::move(program));
  return started.pid < 0 ? os::IoError("run", *warden, started.error) : Status();
}

std::string UploadError(const SpooledRun& run) {
  const auto text = os::ReadPlainFile(run.StateFile(), kMostStateBytes);
  if (!text) return "";
  const auto state = ParseJson(*text);
  if (!state.ok() || !state.value().is_object()) return "";
  const Json error = state.value().value("error", Json());
  return error.is_string() ? error.get<std::string>() : "";
}

void StartLeftUploads() {
  const auto runs = All();
  if (!runs.ok()) return;
  for (const SpooledRun& run : runs.value()) {
    if (LockHolder(run.WritersLock()) == 0) (void)StartUploader(run);
  }
}

}  // namespace warden::storage::spool
