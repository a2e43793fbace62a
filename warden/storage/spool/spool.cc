#include "warden/storage/spool/spool.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <thread>

#include "warden/base/json.h"
#include "warden/os/posix.h"
#include "warden/os/private_folder.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"
#include "warden/storage/s3_location.h"
#include "warden/storage/spool/process_lock.h"
#include "warden/storage/spool/spool_settings.h"

namespace warden::storage::spool {
namespace {

namespace fs = std::filesystem;

constexpr char kDescription[] = "spool.json";
constexpr size_t kMostDescriptionBytes = 1 << 20;
constexpr std::string_view kRunBesideOthers = "debug-output";

// An uploader that looks whether all is sent holds the writers' lock for moments.
constexpr std::chrono::seconds kMostWait{10};
constexpr std::chrono::milliseconds kPause{10};

std::string HostName() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "";
}

// FNV-1a: names are to differ, nothing more.
uint64_t NumberOf(std::string_view text) {
  uint64_t number = 0xcbf29ce484222325;
  for (const char c : text) {
    number = (number ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return number;
}

std::string WithoutSlash(std::string_view url) {
  return std::string(url.ends_with('/') ? url.substr(0, url.size() - 1) : url);
}

std::string_view LastPart(std::string_view url) { return url.substr(url.rfind('/') + 1); }

// As the name of a folder.
std::string FolderName(std::string_view part) {
  std::string name(part.substr(0, 100));
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.') {
      c = '_';
    }
  }
  return name;
}

// Everything but the folder follows from these.
SpooledRun Describe(std::string folder, const std::string& run_url,
                    std::map<std::string, std::string> variables) {
  SpooledRun run;
  run.folder = std::move(folder);
  run.run_url = run_url;
  const bool beside = LastPart(run_url) == kRunBesideOthers;
  run.url = beside ? run_url.substr(0, run_url.size() - kRunBesideOthers.size() - 1) : run_url;
  run.files = fmt::format("{}/{}", run.folder, FolderName(LastPart(run.url)));
  run.run = beside ? fmt::format("{}/{}", run.files, kRunBesideOthers) : run.files;
  run.variables = std::move(variables);
  return run;
}

Json DescriptionOf(const SpooledRun& run) {
  return {{"place", run.run_url}, {"host", HostName()}, {"variables", run.variables}};
}

}  // namespace

Result<SpooledRun> Join(std::string_view url) {
  if (const auto location = s3::ParseLocation(url); !location.ok()) return location.status();
  const auto settings = ReadSettings();
  if (!settings.ok()) return settings.status();
  const std::string run_url = WithoutSlash(url);
  SpooledRun run = Describe("", run_url, ServerVariables());
  const std::string description = DumpLikePython(DescriptionOf(run)) + "\n";
  // The host: machines that share a home folder have each their own.
  run = Describe(fmt::format("{}/{}-{:016x}", settings.value().folder,
                             FolderName(LastPart(run.url)), NumberOf(description)),
                 run_url, run.variables);
  const auto deadline = std::chrono::steady_clock::now() + kMostWait;
  while (true) {
    if (Status status = os::MakePrivateFolder(settings.value().folder); !status.ok()) return status;
    if (Status status = os::MakePrivateFolder(run.folder); !status.ok()) return status;
    if (TakeLock(run.WritersLock(), Lock::kShared)) break;
    if (std::chrono::steady_clock::now() > deadline) {
      return Status(Code::kIo, fmt::format("cannot lock {}", run.WritersLock()));
    }
    std::this_thread::sleep_for(kPause);
  }
  const std::string path = fmt::format("{}/{}", run.folder, kDescription);
  if (!os::PathExists(path)) {
    if (Status status = os::ReplaceFile(path, description, 0600); !status.ok()) return status;
  }
  return run;
}

Status JoinAgain(const SpooledRun& run) {
  const auto deadline = std::chrono::steady_clock::now() + kMostWait;
  while (!TakeLock(run.WritersLock(), Lock::kShared)) {
    if (!os::PathExists(run.folder)) {
      return Status(Code::kNotFound, fmt::format("{}: no such folder", run.folder));
    }
    if (std::chrono::steady_clock::now() > deadline) {
      return Status(Code::kIo, fmt::format("cannot lock {}", run.WritersLock()));
    }
    std::this_thread::sleep_for(kPause);
  }
  return Status();
}

void Leave(const SpooledRun& run) { DropLock(run.WritersLock()); }

std::optional<SpooledRun> Read(const std::string& folder) {
  const auto text =
      os::ReadPlainFile(fmt::format("{}/{}", folder, kDescription), kMostDescriptionBytes);
  if (!text) return std::nullopt;
  const auto json = ParseJson(*text);
  if (!json.ok() || !json.value().is_object()) return std::nullopt;
  const Json place = json.value().value("place", Json());
  if (!place.is_string() || !s3::ParseLocation(place.get<std::string>()).ok()) return std::nullopt;
  std::map<std::string, std::string> variables;
  const Json given = json.value().value("variables", Json::object());
  for (const auto& [name, value] : given.items()) {
    if (value.is_string()) variables.emplace(name, value.get<std::string>());
  }
  return Describe(folder, WithoutSlash(place.get<std::string>()), std::move(variables));
}

std::optional<SpooledRun> FindByFolder(std::string_view folder) {
  std::error_code error;
  const fs::path path = fs::absolute(folder, error).lexically_normal();
  const fs::path run = path.has_filename() ? path : path.parent_path();
  fs::path above = run.parent_path();
  if (run.filename() == kRunBesideOthers && !os::PathExists(above / kDescription)) {
    above = above.parent_path();
  }
  auto found = Read(above);
  if (found && fs::path(found->run) != run) found.reset();
  return found;
}

Result<std::vector<SpooledRun>> All() {
  const auto settings = ReadSettings();
  if (!settings.ok()) return settings.status();
  std::vector<SpooledRun> runs;
  std::error_code error;
  for (fs::directory_iterator at(settings.value().folder, error), end; !error && at != end;
       at.increment(error)) {
    if (auto run = Read(at->path())) runs.push_back(std::move(*run));
  }
  std::sort(runs.begin(), runs.end(),
            [](const SpooledRun& a, const SpooledRun& b) { return a.folder < b.folder; });
  return runs;
}

}  // namespace warden::storage::spool
