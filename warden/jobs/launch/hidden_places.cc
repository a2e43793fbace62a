#include "warden/jobs/launch/hidden_places.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

// In the home folder of the service's user.
constexpr const char* kPrivateThings[] = {
    ".ssh",    ".aws",       ".gnupg",           ".config/tensorwarden",
    ".docker", ".kube",      ".git-credentials", ".netrc",
    ".pypirc", ".config/gh", ".config/gcloud",   ".azure"};
constexpr const char* kSocketFolders[] = {
    "/run/user",    "/run/dbus",        "/run/docker", "/run/docker.sock",
    "/run/podman",  "/run/containerd",  "/run/crio",   "/run/systemd/private",
    "/run/libvirt", "/run/snapd.socket"};

}  // namespace

std::string RealPath(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? path : real.string();
}

std::vector<std::string> PlacesToHide(const service::ServiceOptions& options) {
  std::vector<std::string> places(std::begin(kSocketFolders), std::end(kSocketFolders));
  for (const std::string& path :
       {options.data, options.credentials, options.tls_key, options.events, options.actions_file}) {
    if (!path.empty()) places.push_back(RealPath(path));
  }
  for (const char* name :
       {"WARDEN_ACTIONS_FILE", "AWS_SHARED_CREDENTIALS_FILE", "XDG_RUNTIME_DIR"}) {
    const char* path = std::getenv(name);
    if (path != nullptr && *path == '/') places.push_back(RealPath(path));
  }
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') {
    for (const char* thing : kPrivateThings) {
      places.push_back(RealPath(std::string(home) + "/" + thing));
    }
  }
  return places;
}

void MakeReachable(const std::string& path, os::Box* box) {
  std::string above;
  for (size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    struct stat info{};
    above = path.substr(0, slash);
    if (stat(above.c_str(), &info) != 0) return;
    if ((info.st_mode & S_IXOTH) != 0) continue;
    if (std::find(box->hidden.begin(), box->hidden.end(), above) == box->hidden.end()) {
      box->hidden.push_back(above);
    }
    const bool shown = std::any_of(box->shown.begin(), box->shown.end(),
                                   [&](const os::Box::Shown& each) { return each.to == path; });
    if (!shown) box->shown.push_back({path, path, "", false});
    return;
  }
}

std::vector<std::string> FoldersOfProgram(const std::string& path) {
  std::vector<std::string> folders;
  const auto add = [&](const fs::path& program) {
    // PREFIX/bin/python
    const std::string prefix = program.parent_path().parent_path();
    if (prefix.size() > 1 && std::find(folders.begin(), folders.end(), prefix) == folders.end()) {
      folders.push_back(prefix);
    }
  };
  std::error_code error;
  fs::path at = fs::absolute(path, error).lexically_normal();
  // Each step of a chain of links: environments of environments.
  for (int step = 0; step < 16 && fs::exists(at, error); ++step) {
    add(at);
    if (!fs::is_symlink(at, error)) break;
    at = (at.parent_path() / fs::read_symlink(at, error)).lexically_normal();
  }
  add(RealPath(path));
  return folders;
}

}  // namespace warden::jobs
