#include "warden/capture/launch_folder.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <thread>
#include <utility>

#include "warden/base/json.h"
#include "warden/capture/launch_mark.h"
#include "warden/format/layout.h"
#include "warden/storage/spool/spool_store.h"
#include "warden/storage/store.h"

namespace warden::capture {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kMostWait{30};

const std::string kConfigKey = std::string(format::kOwnPrefix) + "hook.json";

// Which launch the run is of, for SharedLaunch.
const std::string kLaunchKey = std::string(format::kOwnPrefix) + "launch.json";

std::string UtcTime() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &parts);
  return text;
}

Status CannotCreate(const std::string& folder, const std::error_code& error) {
  return Status(Code::kIo, fmt::format("cannot create {}: {}; choose a folder with --out", folder,
                                       error.message()));
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
  return CannotCreate(folder, error);
}

// Whether processes of the launch may save to a folder that exists.
Result<bool> MayShare(const std::string& folder, const SharedLaunch& shared) {
  auto store = storage::OpenStore(folder);
  if (!store.ok()) return store.status();
  const std::string launch = ReadLaunchMark(*store.value(), kLaunchKey);
  if (shared.size > 1) {
    return launch == shared.id || !store.value()->Exists(format::kEndMarker);
  }
  // A process alone continues an earlier attempt, but does not join one that runs beside it.
  return !launch.empty() && launch != shared.id && !store.value()->Exists(format::kEndMarker);
}

// The folder of a launch, made if it is missing.
Result<std::string> SharedRunFolder(std::string_view name, const SharedLaunch& shared) {
  std::error_code error;
  fs::create_directories(kDefaultRunsFolder, error);
  const std::string path = fmt::format("{}/{}", kDefaultRunsFolder, name);
  std::string folder = path;
  for (int n = 2;; ++n) {
    if (error) return CannotCreate(folder, error);
    const bool made = fs::create_directory(folder, error);
    if (error) return CannotCreate(folder, error);
    if (made) return folder;
    auto may = MayShare(folder, shared);
    if (!may.ok()) return may.status();
    if (may.value()) return folder;
    folder = fmt::format("{}-{}", path, n);
  }
}

// All processes of a launch write the same, perhaps at the same moment.
Status PutInTurn(storage::Store* store, const std::string& key, const std::string& text) {
  const auto deadline = std::chrono::steady_clock::now() + kMostWait;
  while (true) {
    Status put = store->Put(key, AsBytes(text));
    if (put.code() != Code::kUnavailable || std::chrono::steady_clock::now() > deadline) return put;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::string FromRoot(const std::string& path) {
  std::string absolute = fs::absolute(path).lexically_normal().string();
  while (absolute.size() > 1 && absolute.back() == '/') absolute.pop_back();
  return absolute;
}

}  // namespace

Result<LaunchFolder> MakeLaunchFolder(const config::LaunchConfig& config, std::string_view name,
                                      const SharedLaunch* shared) {
  LaunchFolder folder;
  folder.run = config.out_dir;
  if (folder.run.empty()) {
    auto made = shared == nullptr ? NewRunFolder(name) : SharedRunFolder(name, *shared);
    if (!made.ok()) return made.status();
    folder.run = std::move(made).value();
  }
  std::string local = folder.run;
  auto store = storage::spool::OpenOutput(&local);
  if (!store.ok()) return store.status();
  // Another process of this launch has prepared it, and may even have finished the training.
  const bool prepared = shared != nullptr && shared->rank > 0 &&
                        ReadLaunchMark(*store.value(), kLaunchKey) == shared->id;
  if (!prepared && store.value()->Exists(format::kEndMarker)) {
    return Status(
        Code::kInvalid,
        fmt::format("{} already contains a finished run; choose another folder with --out",
                    folder.run));
  }
  // The program may go to another folder before it reads this.
  folder.path = FromRoot(store.value()->Locate(""));
  folder.config_file = FromRoot(store.value()->Locate(kConfigKey));
  if (prepared) return folder;
  auto json = ParseJson(config.text);
  if (!json.ok()) return json.status();
  json.value()["LocalPath"] = folder.path;
  Status put = PutInTurn(store.value().get(), kConfigKey, DumpLikePython(json.value()) + "\n");
  if (put.ok() && shared != nullptr && shared->rank == 0) {
    put = SetLaunchMark(store.value().get(), kLaunchKey, shared->id);
  }
  if (!put.ok()) return put.WithContext("cannot write to the run's folder");
  return folder;
}

}  // namespace warden::capture
