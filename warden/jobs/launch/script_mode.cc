#include "warden/jobs/launch/script_mode.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "warden/base/json_members.h"
#include "warden/jobs/launch/clean_path.h"
#include "warden/jobs/launch/copy_tree.h"
#include "warden/jobs/launch/extract.h"
#include "warden/jobs/launch/hyper_parameters.h"
#include "warden/jobs/launch/objects.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

constexpr size_t kNamesShown = 10;

// An address that names exactly one file stands for an archive.
bool IsArchive(const std::vector<GivenFile>& files, const std::string& address) {
  const auto has = [&](std::string_view ending) { return address.ends_with(ending); };
  return files.size() == 1 && address.ends_with(files[0].name) &&
         (has(".tar.gz") || has(".tgz") || has(".tar"));
}

std::string SomeOf(const std::string& folder) {
  auto files = FilesBelow(folder);
  if (!files.ok() || files.value().empty()) return "it is empty";
  std::vector<std::string>& names = files.value();
  std::sort(names.begin(), names.end());
  const bool more = names.size() > kNamesShown;
  names.resize(std::min(names.size(), kNamesShown));
  return fmt::format("it contains {}{}", fmt::join(names, ", "), more ? ", ..." : "");
}

bool IsFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

}  // namespace

Result<Script> ScriptOf(const TrainingJob& job) {
  const auto parameters = DecodeHyperParameters(MemberOf(job.request, "HyperParameters"));
  Script script{parameters.Platform("sagemaker_program"),
                parameters.Platform("sagemaker_submit_directory")};
  if (script.program.empty()) {
    if (script.directory.empty()) return script;
    return Status(Code::kInvalid,
                  "hyperparameter sagemaker_program is missing; set it to the file in "
                  "sagemaker_submit_directory to run");
  }
  // Within a directory a leading '/' means its root: the original's guide has it so.
  const auto clean = script.directory.empty()
                         ? CleanAbsolute(script.program)
                         : CleanRelative(script.program.substr(script.program[0] == '/' ? 1 : 0));
  if (!clean || clean->empty()) {
    return Status(Code::kInvalid,
                  fmt::format("hyperparameter sagemaker_program is '{}'; expected a path in "
                              "sagemaker_submit_directory, or an absolute path without it",
                              script.program));
  }
  script.program = *clean;
  return script;
}

Status CheckScript(const Script& script, const std::string& objects) {
  if (script.program.empty()) return Status();
  if (script.directory.empty()) {
    if (IsFile(script.program)) return Status();
    return Status(Code::kInvalid, fmt::format("hyperparameter sagemaker_program: no such file: {}",
                                              script.program));
  }
  const auto files = FilesAt(objects, script.directory);
  if (files.ok()) return Status();
  return Status(Code::kInvalid, fmt::format("hyperparameter sagemaker_submit_directory: {}",
                                            files.status().message()));
}

Status FetchScript(const Script& script, const std::string& objects, const std::string& code,
                   const ExtractLimits& limits) {
  if (script.directory.empty()) return CheckScript(script, objects);
  const auto files = FilesAt(objects, script.directory);
  if (!files.ok()) return files.status();
  if (IsArchive(files.value(), script.directory)) {
    const GivenFile& archive = files.value().front();
    const Status status = ExtractTar(archive.folder + "/" + archive.path, code, limits);
    if (!status.ok()) return status.WithContext(script.directory);
  } else {
    for (const GivenFile& file : files.value()) {
      const Status status = CopyBeneath(file.folder, file.path, code, file.name);
      if (!status.ok()) return status.WithContext(script.directory);
    }
  }
  if (IsFile(code + "/" + script.program)) return Status();
  return Status(Code::kInvalid,
                fmt::format("no '{}' in {}: {}", script.program, script.directory, SomeOf(code)));
}

std::vector<std::string> WordsOf(const Script& script, const std::vector<std::string>& python,
                                 const HostLayout& layout,
                                 const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  const bool own = !script.directory.empty();
  const std::string here = own ? layout.Here("code/" + script.program) : script.program;
  const std::string seen = own ? layout.Seen("code/" + script.program) : script.program;
  if (script.program.ends_with(".py")) {
    words = python;
    words.push_back(script.program);
  } else if (script.program.ends_with(".R")) {
    words = {"Rscript", script.program};
  } else if (access(here.c_str(), X_OK) == 0) {
    words = {seen};
  } else {
    words = {"/bin/sh", seen};
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

}  // namespace warden::jobs
