#include "warden/rules/custom/find_python.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "warden/base/strings.h"

namespace warden::rules {
namespace {

namespace fs = std::filesystem;

bool IsProgram(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

// Empty: there is none.
std::string OnPath(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (const std::string& folder : SplitTrimmed(path == nullptr ? "" : path, ':')) {
    if (const fs::path file = fs::path(folder) / name; IsProgram(file)) return file.string();
  }
  return "";
}

// Whether the environment, the folder that has bin and lib, has our packages.
bool HasPackages(const fs::path& environment) {
  std::error_code error;
  for (const char* lib : {"lib", "lib64"}) {
    for (fs::directory_iterator at(environment / lib, error), end; !error && at != end;
         at.increment(error)) {
      if (!at->path().filename().string().starts_with("python3")) continue;
      for (const char* packages : {"site-packages", "dist-packages"}) {
        std::error_code ignored;
        if (fs::exists(at->path() / packages / "tensorwarden/rules/worker.py", ignored)) {
          return true;
        }
      }
    }
  }
  return false;
}

}  // namespace

Result<std::string> FindPython(const std::string& program) {
  if (const char* named = std::getenv("WARDEN_PYTHON"); named != nullptr && *named != '\0') {
    const std::string text = named;
    const std::string found = text.find('/') == std::string::npos ? OnPath(text) : text;
    if (IsProgram(found)) return found;
    return Status(
        Code::kInvalid,
        fmt::format("WARDEN_PYTHON is '{}'; expected an executable Python interpreter", text));
  }
  const fs::path beside = fs::path(program).parent_path().parent_path();
  // A wheel has the program in the package: lib/python3*/site-packages/tensorwarden/bin/warden.
  const fs::path around = beside.parent_path().parent_path().parent_path().parent_path();
  for (const fs::path& environment : {beside, beside / "venv", around}) {
    const fs::path python = environment / "bin/python3";
    if (IsProgram(python) && HasPackages(environment)) return python.string();
  }
  std::string found = OnPath("python3");
  if (!found.empty()) return found;
  return Status(Code::kInvalid,
                "python3 not found on PATH; set WARDEN_PYTHON to a Python that has tensorwarden "
                "installed");
}

std::string OwnProgramFile() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

}  // namespace warden::rules
