#include "warden/capture/launch_folder.h"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <utility>

#include "warden/base/json.h"
#include "warden/format/layout.h"
#include "warden/storage/store.h"

namespace warden::capture {
namespace {

namespace fs = std::filesystem;

const std::string kConfigKey = std::string(format::kOwnPrefix) + "hook.json";

std::string UtcTime() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &parts);
  return text;
}

// A folder that nobody has; made, so that nobody else takes it.
Result<std::string> NewRunFolder(std::string_view name) {
  std::error_code error;
  fs::create_directories(kDefaultRunsFolder, error);
  const std::string path = fmt::format("{}/{}-{}", kDefaultRunsFolder, name, UtcTime());
  std::string folder = path;
  for (int n = 2; !error && !fs::create_directory(folder, error); ++n) {
    folder = fmt::format("{}-{}", path, n);
  }
  if (!error) return folder;
  return Status(Code::kIo, fmt::format("cannot create {}: {}; choose a folder with --out", folder,
                                       error.message()));
}

std::string FromRoot(const std::string& path) {
  std::string absolute = fs::absolute(path).lexically_normal().string();
  while (absolute.size() > 1 && absolute.back() == '/') absolute.pop_back();
  return absolute;
}

}  // namespace

Result<LaunchFolder> MakeLaunchFolder(const config::LaunchConfig& config, std::string_view name) {
  LaunchFolder folder;
  folder.run = config.out_dir;
  if (folder.run.empty()) {
    auto made = NewRunFolder(name);
    if (!made.ok()) return made.status();
    folder.run = std::move(made).value();
  }
  auto store = storage::OpenStore(folder.run);
  if (!store.ok()) return store.status();
  if (store.value()->Exists(format::kEndMarker)) {
    return Status(
        Code::kInvalid,
        fmt::format("{} already contains a finished run; choose another folder with --out",
                    folder.run));
  }
  // The program may go to another folder before it reads this.
  folder.path = FromRoot(store.value()->Locate(""));
  folder.config_file = FromRoot(store.value()->Locate(kConfigKey));
  auto json = ParseJson(config.text);
  if (!json.ok()) return json.status();
  json.value()["LocalPath"] = folder.path;
  const Status put = store.value()->Put(kConfigKey, AsBytes(DumpLikePython(json.value()) + "\n"));
  if (!put.ok()) return put.WithContext("cannot write to the run's folder");
  return folder;
}

}  // namespace warden::capture
