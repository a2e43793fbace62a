#include "warden/cli/launch/python_site.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "warden/base/strings.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kVersionPrefix[] = "python3";

// "python3.11" is 11.
int64_t MinorVersion(const std::string& folder) {
  return ParseInt(folder.substr(std::min(folder.size(), sizeof(kVersionPrefix)))).value_or(0);
}

// Below lib, the newest version first. Debian uses another name for site-packages.
std::vector<fs::path> PackageFolders(const fs::path& lib) {
  std::vector<std::string> versions;
  std::error_code error;
  for (fs::directory_iterator at(lib, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    if (name.starts_with(kVersionPrefix)) versions.push_back(std::move(name));
  }
  std::sort(versions.begin(), versions.end(), [](const std::string& a, const std::string& b) {
    return MinorVersion(a) > MinorVersion(b);
  });
  std::vector<fs::path> folders;
  for (const std::string& version : versions) {
    for (const char* packages : {"site-packages", "dist-packages"}) {
      folders.push_back(lib / version / packages);
    }
  }
  return folders;
}

}  // namespace

std::optional<std::string> FindPythonSite(const std::string& program) {
  std::vector<fs::path> folders;
  if (const char* given = std::getenv("TENSORWARDEN_PYTHON"); given != nullptr && *given != '\0') {
    folders.emplace_back(given);
  }
  const fs::path beside = fs::path(program).parent_path().parent_path();
  for (const char* lib : {"lib", "lib64", "venv/lib"}) {
    const auto found = PackageFolders(beside / lib);
    folders.insert(folders.end(), found.begin(), found.end());
  }
  // A wheel has the program in the package itself: tensorwarden/bin/warden.
  folders.push_back(beside.parent_path());
  for (const fs::path& folder : folders) {
    const fs::path site = folder / "tensorwarden/auto/site";
    std::error_code error;
    if (fs::is_regular_file(site / "sitecustomize.py", error)) {
      return fs::absolute(site, error).lexically_normal().string();
    }
  }
  return std::nullopt;
}

std::string OwnProgram() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

}  // namespace warden::cli
