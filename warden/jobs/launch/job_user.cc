#include "warden/jobs/launch/job_user.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>

#include "warden/base/strings.h"
#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

constexpr char kSubUsers[] = "/etc/subuid";
// Beyond what distributions and systemd give out to users, services and containers.
constexpr int64_t kFirstUser = 0x7000'0000;
constexpr int64_t kUsers = 65'536;
constexpr int kMostGivenLevels = 1000;

struct UserRange {
  int64_t first = kFirstUser;
  int64_t count = kUsers;
};

// "root:100000:65536"
UserRange RangeOfUsers() {
  for (const std::string& line : SplitTrimmed(os::ReadWholeFile(kSubUsers).value_or(""), '\n')) {
    const auto fields = SplitTrimmed(line, ':');
    if (fields.size() != 3 || (fields[0] != "root" && fields[0] != "0")) continue;
    const auto first = ParseInt(fields[1]);
    const auto count = ParseInt(fields[2]);
    if (first && count && *first > 0 && *count > 0 && *first + *count < UINT32_MAX) {
      return {*first, *count};
    }
  }
  return {};
}

std::optional<int64_t> NumberInFile(const std::string& path) {
  const auto text = os::ReadWholeFile(path);
  return text ? ParseInt(Trim(*text)) : std::nullopt;
}

Status GiveAllIn(int folder, uid_t user, int level) {
  // What is that deep stays ours.
  if (level > kMostGivenLevels) return Status();
  const auto opened = os::ReadFolderBeneath(folder, "");
  if (!opened.ok()) return opened.status();
  while (const dirent* entry = readdir(opened.value().get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (fchownat(folder, name.c_str(), user, user, AT_SYMLINK_NOFOLLOW) != 0 && errno != ENOENT) {
      return os::IoError("change the owner of", name, errno);
    }
    const auto inner = os::OpenFolderBeneath(folder, name);
    if (!inner.ok()) continue;  // Not a folder.
    if (Status status = GiveAllIn(inner.value().get(), user, level + 1); !status.ok()) {
      return status;
    }
  }
  return Status();
}

Result<os::UniqueFd> OpenPart(const std::string& root, const std::string& part) {
  const os::UniqueFd opened(open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.ok() && os::IsAbsence(errno)) {
    return Status(Code::kNotFound, "cannot open " + root + ": no such folder");
  }
  if (!opened.ok()) return os::IoError("open", root, errno);
  return os::OpenFolderBeneath(opened.get(), part);
}

}  // namespace

Result<uid_t> UserOfJob(const std::string& job_folder, const std::string& counter) {
  const std::string path = job_folder + "/user";
  if (const auto user = NumberInFile(path); user && *user > 0 && *user < UINT32_MAX) {
    return static_cast<uid_t>(*user);
  }
  const UserRange range = RangeOfUsers();
  const int64_t next = NumberInFile(counter).value_or(0);
  std::error_code error;
  std::filesystem::create_directories(job_folder, error);
  // Counted first: a number that is lost does no harm, one that is given out twice may.
  Status status = os::ReplaceFile(counter, std::to_string(next + 1) + "\n", 0600);
  if (!status.ok()) return status;
  const int64_t user = range.first + (next < 0 ? 0 : next) % range.count;
  status = os::ReplaceFile(path, std::to_string(user) + "\n", 0600);
  if (!status.ok()) return status;
  return static_cast<uid_t>(user);
}

Status GiveTo(uid_t user, const std::string& root, const std::string& part) {
  const auto folder = OpenPart(root, part);
  if (!folder.ok()) return folder.status();
  if (fchown(folder.value().get(), user, user) != 0) {
    return os::IoError("change the owner of", root + "/" + part, errno);
  }
  return GiveAllIn(folder.value().get(), user, 0);
}

Status ShareFolder(const std::string& root, const std::string& part) {
  const auto folder = OpenPart(root, part);
  if (!folder.ok()) return folder.status();
  if (fchmod(folder.value().get(), 01777) == 0) return Status();
  return os::IoError("change permissions of", root + "/" + part, errno);
}

}  // namespace warden::jobs
