#include "warden/jobs/launch/collect.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "warden/format/layout.h"
#include "warden/format/profiler_layout.h"
#include "warden/jobs/launch/copy_tree.h"
#include "warden/jobs/launch/pack.h"
#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"
#include "warden/s3/object_path.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

Status MakeFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? os::IoError("create", path.string(), error.value()) : Status();
}

// A file of a bucket: its folder, and its name there. Made without following links: a program may
// have put some where it may write, and we may write elsewhere too.
struct Target {
  os::UniqueFd folder;
  std::string name;
};

// path: below objects.
Result<Target> MakeFolderOf(const std::string& path, const std::string& objects) {
  if (Status status = MakeFolder(objects); !status.ok()) return status;
  const os::UniqueFd all(open(objects.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!all.ok()) return os::IoError("open", objects, errno);
  const auto [parent, name] = os::SplitLast(std::string_view(path).substr(objects.size() + 1));
  auto folder = os::MakeFolderBeneath(all.get(), parent);
  if (!folder.ok()) return folder.status().WithContext(std::string(parent));
  return Target{std::move(folder.value()), std::string(name)};
}

// Nothing that can be read by whoever waits for an end is behind a link.
void RemoveLink(const std::string& path, const std::string& objects) {
  const auto target = MakeFolderOf(path, objects);
  if (!target.ok()) return;
  const Target& at = target.value();
  struct stat info{};
  const bool is_link = fstatat(at.folder.get(), at.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
                       S_ISLNK(info.st_mode);
  if (is_link) unlinkat(at.folder.get(), at.name.c_str(), 0);
}

// An empty file; one that is there stays.
Status Mark(const Target& end) {
  struct stat info{};
  const char* name = end.name.c_str();
  if (fstatat(end.folder.get(), name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
    if (S_ISREG(info.st_mode)) return Status();
    unlinkat(end.folder.get(), name, 0);
  }
  const os::UniqueFd file(
      openat(end.folder.get(), name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!file.ok() || fsync(file.get()) != 0) return os::IoError("create", end.name, errno);
  return Status();
}

Result<std::string> PathOf(const std::string& objects, const std::string& uri) {
  const auto name = s3::ParseS3Uri(uri);
  if (!name.ok()) return name.status();
  return s3::PathOfObject(objects, name.value());
}

// Of all hosts' folders of that name, into the archive.
Status Pack(const std::vector<HostLayout>& hosts, const char* folder, const std::string& draft,
            size_t* files) {
  auto archive = TarWriter::Create(draft);
  if (!archive.ok()) return archive.status();
  for (const HostLayout& host : hosts) {
    const std::string path = host.Here(folder).substr(host.agent().size() + 1);
    const Status status = archive.value().AddFolder(host.agent(), path);
    if (!status.ok()) return status;
  }
  *files = archive.value().files();
  return archive.value().Finish();
}

// Moves what is whole by now into its bucket.
Status Place(const std::string& draft, const std::string& path, const std::string& objects) {
  const auto target = MakeFolderOf(path, objects);
  if (!target.ok()) return target.status();
  const Target& to = target.value();
  if (renameat(AT_FDCWD, draft.c_str(), to.folder.get(), to.name.c_str()) == 0) return Status();
  return os::IoError("write", path, errno);
}

// All hosts' files of the model, below path. Of equal names the first host's counts.
Status CopyModel(const std::vector<HostLayout>& hosts, const std::string& path,
                 const std::string& objects) {
  if (Status status = MakeFolder(objects); !status.ok()) return status;
  const std::string part = path.substr(objects.size() + 1);
  std::set<std::string> copied;
  for (const HostLayout& host : hosts) {
    const auto files = FilesBelow(host.Here(""), "model");
    if (!files.ok()) return files.status();
    for (const std::string& file : files.value()) {
      if (!copied.insert(file).second) continue;
      const std::string name = file.substr(std::string_view("model/").size());
      const Status status = CopyBeneath(host.Here(""), file, objects, part + "/" + name);
      if (!status.ok()) return status;
    }
  }
  return Status();
}

// The files that mark the ends of what a job writes.
Result<std::vector<std::string>> EndsOf(const TrainingJob& job, const std::string& objects) {
  std::vector<std::string> ends;
  if (const std::string uri = job.DebugOutput(); !uri.empty()) {
    const auto path = PathOf(objects, uri);
    if (!path.ok()) return path.status();
    ends.push_back(fmt::format("{}/{}", path.value(), format::kEndMarker));
  }
  if (const std::string uri = job.ProfilerOutput(); !uri.empty()) {
    const auto path = PathOf(objects, uri);
    if (!path.ok()) return path.status();
    ends.push_back(fmt::format("{}/{}", path.value(), format::kSystemEnd));
    ends.push_back(fmt::format("{}/{}", path.value(), format::kFrameworkEnd));
  }
  return ends;
}

}  // namespace

Status CollectArtifacts(const TrainingJob& job, const std::vector<HostLayout>& hosts,
                        const std::string& objects, const std::string& uploads) {
  const auto model = PathOf(objects, job.ModelArtifacts());
  if (!model.ok()) return model.status();
  const std::string output = fs::path(model.value()).parent_path() / "output.tar.gz";
  if (Status status = MakeFolder(uploads); !status.ok()) return status;
  // Always the same, so that what was left by a service that was killed here does not stay.
  const std::string draft = fmt::format("{}/collect-{}.tar.gz", uploads, job.name);
  size_t files = 0;
  Status status;
  if (job.HasPackedModel()) {
    status = Pack(hosts, "model", draft, &files);
    if (status.ok()) status = Place(draft, model.value(), objects);
  } else {
    status = CopyModel(hosts, model.value(), objects);
  }
  if (status.ok()) status = Pack(hosts, "output/data", draft, &files);
  if (status.ok() && files > 0) status = Place(draft, output, objects);
  unlink(draft.c_str());
  return status;
}

Status CollectProfiles(const TrainingJob& job, const std::vector<HostLayout>& hosts,
                       const std::string& objects) {
  const std::string uri = job.ProfilerOutput();
  if (uri.empty()) return Status();
  const auto path = PathOf(objects, uri);
  if (!path.ok()) return path.status();
  const std::string part = path.value().substr(objects.size() + 1);
  for (const HostLayout& host : hosts) {
    // Where profiles are in the bucket at once, it is a link, and nothing is found.
    const std::string folder = host.Here("");
    const auto files = FilesBelow(folder, "output/profiler");
    if (!files.ok()) return files.status();
    for (const std::string& file : files.value()) {
      const std::string name = file.substr(std::string_view("output/profiler/").size());
      const Status status = CopyBeneath(folder, file, objects, part + "/" + name);
      if (!status.ok()) return status;
    }
  }
  return Status();
}

Status MarkEnds(const TrainingJob& job, const std::string& objects) {
  const auto ends = EndsOf(job, objects);
  if (!ends.ok()) return ends.status();
  Status first;
  // All that can be: somebody waits for each of them.
  for (const std::string& end : ends.value()) {
    RemoveLink(fs::path(end).parent_path(), objects);
    const auto target = MakeFolderOf(end, objects);
    const Status status = target.ok() ? Mark(target.value()) : target.status();
    if (first.ok()) first = status;
  }
  return first;
}

Status CheckNotMarked(const TrainingJob& job, const std::string& objects) {
  const auto ends = EndsOf(job, objects);
  if (!ends.ok()) return ends.status();
  for (const std::string& end : ends.value()) {
    if (access(end.c_str(), F_OK) != 0) continue;
    return Status(
        Code::kExists,
        fmt::format("an earlier job named {} left its outputs at {}; remove them, or choose "
                    "another job name or S3OutputPath",
                    job.name,
                    end.find("profiler-output") == std::string::npos ? job.DebugOutput()
                                                                     : job.ProfilerOutput()));
  }
  return Status();
}

}  // namespace warden::jobs
