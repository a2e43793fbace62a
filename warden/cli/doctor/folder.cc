#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "warden/cli/doctor/checks.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kLittleSpace = uint64_t{1} << 30;
constexpr double kSlow = 50e6;  // Bytes a second.
constexpr size_t kProbeBlock = 1 << 20;
constexpr int kProbeBlocks = 64;
constexpr std::chrono::milliseconds kProbeTime{300};

fs::path NearestFolder(const fs::path& wanted) {
  std::error_code error;
  fs::path folder = fs::absolute(wanted, error).lexically_normal();
  while (!fs::is_directory(folder, error) && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  return folder;
}

// Bytes a second, flushed to the disk; nothing if the folder cannot be written to. The file never
// has a name that anybody else could see for long.
std::optional<double> WriteSpeed(const fs::path& folder) {
  std::string path = (folder / ".warden-doctor-XXXXXX").string();
  const int descriptor = mkstemp(path.data());
  if (descriptor < 0) return std::nullopt;
  unlink(path.c_str());
  const std::string block(kProbeBlock, '\x5a');
  const auto start = Clock::now();
  double written = 0;
  for (int i = 0; i < kProbeBlocks && Clock::now() - start < kProbeTime; ++i) {
    const ssize_t n = write(descriptor, block.data(), block.size());
    if (n <= 0 || fdatasync(descriptor) != 0) break;
    written += static_cast<double>(n);
  }
  const std::chrono::duration<double> seconds = Clock::now() - start;
  close(descriptor);
  if (written == 0) return std::nullopt;
  return written / std::max(seconds.count(), 1e-6);
}

}  // namespace

void CheckFolder(const std::string& wanted, Checks* checks) {
  const fs::path folder = NearestFolder(wanted);
  std::error_code error;
  const bool exists = fs::is_directory(wanted, error);
  const std::string name =
      exists ? folder.string() : fmt::format("{} (for {})", folder.string(), wanted);
  struct statvfs space{};
  const uint64_t available = statvfs(folder.c_str(), &space) == 0
                                 ? static_cast<uint64_t>(space.f_bavail) * space.f_frsize
                                 : 0;
  const auto speed = WriteSpeed(folder);
  if (!speed) {
    checks->push_back({"output folder", Health::kBroken, name + ": not writable",
                       "choose another folder with LocalPath in the hook configuration"});
    return;
  }
  const bool little = available < kLittleSpace;
  const bool slow = *speed < kSlow;
  checks->push_back({"output folder", little || slow ? Health::kWarning : Health::kOk,
                     fmt::format("{}: {} free, writes {}/s{}", name, FormatBytes(available),
                                 FormatBytes(static_cast<uint64_t>(*speed)),
                                 slow ? "; slow, trainings may wait for it" : ""),
                     little ? "free some space or save less often"
                     : slow ? "use a faster disk, or save statistics instead of whole tensors"
                            : ""});
}

}  // namespace warden::cli
