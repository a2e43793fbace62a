#include "warden/jobs/launch/rule_box.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "warden/jobs/launch/clean_path.h"
#include "warden/jobs/launch/copy_tree.h"
#include "warden/jobs/launch/hidden_places.h"
#include "warden/jobs/launch/job_user.h"
#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTemporaryPlaces[] = {"/tmp", "/var/tmp"};
constexpr char kTemporaryPrefix[] = "tmp.";
// In the folder that is /tmp in the box.
constexpr char kSourceFolder[] = "rule";
constexpr char kOutputFolder[] = "output";
// Enough for a report with pictures.
constexpr uint64_t kMostOutputBytes = 1 << 30;
constexpr size_t kMostOutputFiles = 10'000;

// The part of a path behind the folder of all buckets; empty: it is elsewhere.
std::string PartInBuckets(const std::string& path, const std::string& objects) {
  const std::string clean = fs::path(path).lexically_normal();
  return clean.starts_with(objects + "/") ? clean.substr(objects.size() + 1) : "";
}

bool IsBelowAny(const std::string& path, const std::vector<std::string>& folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](const std::string& folder) { return IsBelowOrSame(path, folder); });
}

// Whether the box's own /tmp is in its place.
bool IsTemporary(const std::string& path) {
  return std::any_of(std::begin(kTemporaryPlaces), std::end(kTemporaryPlaces),
                     [&](const char* place) { return IsBelowOrSame(path, RealPath(place)); });
}

Status CheckNotHidden(const std::string& path, const os::Box& box) {
  if (!IsBelowAny(RealPath(path), box.hidden)) return Status();
  return Status(Code::kInvalid,
                fmt::format("cannot use {}: it belongs to the service; expected an s3:// address "
                            "or another file",
                            path));
}

// A shared object runs in the rule's agent, as the service's user: whoever can write one there, or
// send one, would be that user.
Status CheckSharedObject(const std::string& path, bool in_bucket, const os::Box& box) {
  struct stat info{};
  const std::string real = RealPath(path);
  const bool shared = std::any_of(box.shown.begin(), box.shown.end(), [&](const auto& shown) {
    return shown.writable && IsBelowOrSame(real, shown.to);
  });
  const bool installed = !in_bucket && !shared && stat(real.c_str(), &info) == 0 &&
                         (info.st_uid == 0 || info.st_uid == geteuid()) &&
                         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (installed) return Status();
  return Status(Code::kInvalid,
                fmt::format("{}: a shared object cannot be isolated; expected a Python file, a "
                            "shared object that only root or the service's user can write, outside "
                            "of buckets and --share folders, or a service with --isolation off",
                            path));
}

// A new one each time: nothing in it is what an earlier process of the rule has left.
Result<std::string> MakeTemporary(const std::string& folder, const os::Box& box) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return os::IoError("create", folder, error.value());
  std::string temporary = folder + "/" + kTemporaryPrefix + "XXXXXX";
  if (mkdtemp(temporary.data()) == nullptr) return os::IoError("create", temporary, errno);
  for (const char* part : {kOutputFolder, kSourceFolder, "home"}) {
    const std::string path = temporary + "/" + part;
    if (mkdir(path.c_str(), 0755) != 0 || chmod(path.c_str(), 0755) != 0) {
      return os::IoError("create", path, errno);
    }
  }
  for (const char* part : {kOutputFolder, "home"}) {
    if (!box.user) continue;
    if (Status status = GiveTo(*box.user, temporary, part); !status.ok()) return status;
  }
  if (Status status = ShareFolder(temporary, ""); !status.ok()) return status;
  return temporary;
}

Status CopySource(const std::string& folder, const std::string& part, const std::string& temporary,
                  const std::string& name) {
  const std::string copy = std::string(kSourceFolder) + "/" + name;
  Status status = CopyBeneath(folder, part, temporary, copy);
  if (status.ok() && chmod((temporary + "/" + copy).c_str(), 0644) != 0) {
    status = os::IoError("change permissions of", copy, errno);
  }
  return status;
}

// The rule's file as the rule sees it. One in a bucket, or in the machine's /tmp, is copied.
// needed: gets what another user must be able to reach.
Result<std::string> SourceInBox(const RuleToIsolate& rule, const std::string& objects,
                                RuleBox* made, std::vector<std::string>* needed) {
  const std::string path = fs::path(rule.source).lexically_normal();
  const std::string part = PartInBuckets(path, objects);
  if (part.empty()) {
    if (Status status = CheckNotHidden(path, made->box); !status.ok()) return status;
  }
  if (path.ends_with(".so")) {
    if (Status status = CheckSharedObject(path, !part.empty(), made->box); !status.ok()) {
      return status;
    }
    return RealPath(path);
  }
  const std::string name = fs::path(path).filename();
  if (part.empty() && !IsTemporary(RealPath(path))) {
    needed->push_back(RealPath(path));
    return path;
  }
  const Status status = part.empty()
                            ? CopySource(fs::path(path).parent_path(), name, made->temporary, name)
                            : CopySource(objects, part, made->temporary, name);
  const bool missing = status.code() == Code::kNotFound || !os::PathExists(path);
  if (missing) return Status(Code::kInvalid, path + ": no such file");
  if (!status.ok()) return status;
  return fmt::format("/tmp/{}/{}", kSourceFolder, name);
}

Status ShowRun(const std::string& run, const std::string& objects, bool make, os::Box* box,
               std::vector<std::string>* needed) {
  const std::string part = PartInBuckets(run, objects);
  if (!part.empty()) {
    const std::string real = RealPath(objects);
    const os::UniqueFd root(open(real.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!root.ok()) return os::IoError("open", real, errno);
    if (make) {
      const auto made = os::MakeFolderBeneath(root.get(), part);
      if (!made.ok()) return made.status();
    }
    box->shown.push_back({real + "/" + part, real + "/" + part, real, false, true});
    return Status();
  }
  if (Status status = CheckNotHidden(run, *box); !status.ok()) return status;
  const std::string real = RealPath(run);
  if (IsTemporary(real)) box->shown.push_back({real, real, "", false, true});
  needed->push_back(real);
  return Status();
}

}  // namespace

Result<RuleBox> MakeRuleBox(const RuleToIsolate& rule, const std::string& objects, os::Box common) {
  RuleBox made{std::move(common), "", ""};
  auto temporary = MakeTemporary(rule.folder, made.box);
  if (!temporary.ok()) return temporary.status();
  made.temporary = std::move(temporary.value());
  std::vector<std::string> needed = rule.programs;
  auto source = SourceInBox(rule, objects, &made, &needed);
  Status status = source.status();
  if (source.ok()) made.source = std::move(source.value());
  for (const std::string& run : rule.own_runs) {
    if (status.ok()) status = ShowRun(run, objects, true, &made.box, &needed);
  }
  for (const std::string& run : rule.other_runs) {
    if (status.ok()) status = ShowRun(run, objects, false, &made.box, &needed);
  }
  if (!status.ok()) {
    std::error_code error;
    fs::remove_all(made.temporary, error);
    return status;
  }
  for (const char* place : kTemporaryPlaces) {
    if (!os::PathExists(place)) continue;
    made.box.shown.push_back({RealPath(made.temporary), RealPath(place), "", true});
  }
  if (!made.box.user) return made;
  for (const std::string& path : needed) MakeReachable(path, &made.box);
  return made;
}

Status KeepRuleOutput(const std::string& folder, const std::string& temporary,
                      const std::string& objects, const std::string& output) {
  const std::string from = temporary + "/" + kOutputFolder;
  const std::string part = PartInBuckets(output, objects);
  const auto files = FilesBelow(from);
  Status status = files.status();
  uint64_t bytes = 0;
  size_t count = 0;
  std::error_code error;
  for (const std::string& name : files.ok() ? files.value() : std::vector<std::string>()) {
    // What the service says of the rule, and what the rule's library keeps for itself.
    if (name == "status.json" || name == "firings.jsonl" || name.starts_with(".sagemaker-ignore/"))
      continue;
    bytes += fs::file_size(fs::path(from) / name, error);
    if (error || bytes > kMostOutputBytes || ++count > kMostOutputFiles) {
      status = Status(Code::kInvalid, fmt::format("the rule's output is incomplete: more than {} "
                                                  "files or {} bytes",
                                                  kMostOutputFiles, kMostOutputBytes));
    }
    if (status.ok()) status = CopyBeneath(from, name, objects, part + "/" + name);
    if (!status.ok()) break;
  }
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (!at->path().filename().string().starts_with(kTemporaryPrefix)) continue;
    std::error_code ignored;
    fs::remove_all(at->path(), ignored);
  }
  return status;
}

}  // namespace warden::jobs
