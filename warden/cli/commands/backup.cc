#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/text.h"
#include "warden/jobs/db/job_store.h"
#include "warden/os/posix.h"
#include "warden/service/data_folder.h"
#include "warden/service/options.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

struct BackupOptions {
  std::string data;
  std::string target;
  bool json = false;
};

// Beside the database: what would be missed, and is small.
constexpr const char* kSettings[] = {"credentials", "token", "viewers.json", "environments.json",
                                     "events.json"};

// The names of the files that were copied.
Result<std::vector<std::string>> Copy(const service::DataLayout& from,
                                      const service::DataLayout& to) {
  if (Status status = jobs::CopyJobStore(from.Database(), to.Database()); !status.ok()) {
    return status;
  }
  std::vector<std::string> copied = {"warden.db"};
  for (const char* name : kSettings) {
    std::error_code error;
    const fs::path source = fs::path(from.root) / name;
    if (!fs::exists(source, error)) continue;
    fs::copy_file(source, fs::path(to.root) / name, error);
    if (error) {
      return Status(Code::kIo, fmt::format("cannot copy {}: {}", source.string(), error.message()));
    }
    copied.emplace_back(name);
  }
  return copied;
}

Result<int> BackUp(const BackupOptions& options, Output* out) {
  std::string data = options.data;
  if (data.empty()) {
    auto folder = service::StandardDataFolder();
    if (!folder.ok()) return folder.status();
    data = std::move(folder.value());
  }
  // Keys are in it: for its owner alone.
  if (mkdir(options.target.c_str(), 0700) != 0) {
    if (errno != EEXIST) return os::IoError("create", options.target, errno);
    return Status(Code::kExists,
                  fmt::format("{} exists; expected the name of a new folder", options.target));
  }
  const auto copied = Copy(service::DataLayout(data), service::DataLayout(options.target));
  if (!copied.ok()) {
    std::error_code ignored;
    fs::remove_all(options.target, ignored);
    return copied.status();
  }
  if (options.json) {
    out->PrintJson({{"data", data}, {"backup", options.target}, {"files", copied.value()}});
  } else {
    out->Print("{}: {}\nNot included: the folders of jobs ({}/jobs) and objects ({}/s3).\n",
               Printable(options.target), fmt::join(copied.value(), ", "), Printable(data),
               Printable(data));
  }
  return kDone;
}

void DefineBackup(Command* command) {
  auto options = std::make_shared<BackupOptions>();
  command->Positional("FOLDER", &options->target, "New folder for the backup");
  command->Text("--data", &options->data,
                "Data folder of the service (default: ~/.local/share/tensorwarden)");
  command->Json(&options->json);
  command->Footer(
      "Copies the records of all jobs, the keys and the settings. The service may be running. To\n"
      "restore, stop the service, copy the files into the data folder, and remove warden.db-wal "
      "and\n"
      "warden.db-shm from it.\n\n"
      "Examples:\n"
      "  warden backup /backup/warden-monday\n"
      "  warden backup --data /srv/warden /backup/warden-monday");
  command->Runs(options, BackUp);
}

}  // namespace

CommandEntry Backup() {
  return {"backup", "Back up the records and keys of a service", DefineBackup};
}

}  // namespace warden::cli
