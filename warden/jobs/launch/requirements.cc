#include "warden/jobs/launch/requirements.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/jobs/launch/box_json.h"
#include "warden/jobs/launch/hidden_places.h"
#include "warden/jobs/launch/start_program.h"
#include "warden/net/digest.h"
#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

// A virtual environment that sees the packages of the one it is made from, even if that is a
// virtual environment itself: pip installs only what is missing there. Its packages are at "site".
constexpr char kInstall[] = R"(
import os, site, subprocess, sys, venv
folder, requirements = sys.argv[1:]
os.umask(0o022)
print("Installing " + os.path.basename(requirements), flush=True)
venv.EnvBuilder(symlinks=True, with_pip=False).create(folder)
version = "python%d.%d" % sys.version_info[:2]
packages = os.path.join("lib", version, "site-packages")
known = site.getsitepackages() + ([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])
with open(os.path.join(folder, packages, "environment.pth"), "w") as paths:
    paths.write("".join(path + "\n" for path in known if os.path.isdir(path)))
os.symlink(packages, os.path.join(folder, "site"))
command = [os.path.join(folder, "bin", "python"), "-m", "pip", "install", "--no-input"]
command += ["--disable-pip-version-check", "--no-warn-script-location", "-r", requirements]
sys.exit(subprocess.call(command))
)";

// Variables of the program that decide what pip installs, and from where.
constexpr const char* kProxies[] = {"http_proxy",    "https_proxy",       "no_proxy",
                                    "HTTP_PROXY",    "HTTPS_PROXY",       "NO_PROXY",
                                    "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"};
// Options that name nothing on this machine.
constexpr std::string_view kHarmlessOptions[] = {
    "--index-url", "-i ",           "--extra-index-url", "--pre",
    "--no-binary", "--only-binary", "--trusted-host",    "--prefer-binary"};
// What pip unpacks.
constexpr std::string_view kArchives[] = {".whl",    ".zip",     ".tar",    ".tgz",
                                          ".tar.gz", ".tar.bz2", ".tbz",    ".txz",
                                          ".tlz",    ".tar.xz",  ".tar.lz", ".tar.lzma"};

Variables InstallersVariables(const Variables& programs) {
  Variables variables = HarmlessVariables();
  variables["HOME"] = programs.contains("HOME") ? programs.at("HOME") : "/";
  variables["TMPDIR"] = programs.contains("TMPDIR") ? programs.at("TMPDIR") : "/tmp";
  for (const auto& [name, value] : programs) {
    const bool proxy = std::any_of(std::begin(kProxies), std::end(kProxies),
                                   [&](const char* each) { return name == each; });
    if (proxy || name.starts_with("PIP_")) variables[name] = value;
  }
  return variables;
}

// Whether pip sees the lines that we see: it also ends lines at what Python takes for an end.
bool HasOtherLineEnds(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) return true;
    if (c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t') return true;
  }
  return text.find("\xC2\x85") != std::string_view::npos ||
         text.find("\xE2\x80\xA8") != std::string_view::npos ||
         text.find("\xE2\x80\xA9") != std::string_view::npos;
}

// Of options of harmless ones alone: "--pre -r more.txt" names a file.
bool IsHarmlessOption(std::string_view words) {
  return words.find(" -") == std::string_view::npos &&
         words.find("\t-") == std::string_view::npos &&
         std::any_of(std::begin(kHarmlessOptions), std::end(kHarmlessOptions),
                     [&](std::string_view option) { return words.starts_with(option); });
}

// Whether a word is what pip takes for a file if there is one of that name: "own-1.0.whl".
bool MayBeArchive(const std::string& word) {
  const std::string name = LowerAscii(word.substr(0, word.find_first_of(";#[")));
  return std::any_of(std::begin(kArchives), std::end(kArchives),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

// Whether the same lines mean the same packages for every job: names and addresses, but no files of
// the source folder.
bool MeanTheSameEverywhere(const std::string& text) {
  if (HasOtherLineEnds(text)) return false;
  for (const std::string& line : SplitTrimmed(text, '\n')) {
    const std::string_view words = Trim(line);
    if (words.empty() || words.front() == '#') continue;
    const bool harmless = IsHarmlessOption(words);
    const bool named = std::isalnum(static_cast<unsigned char>(words.front())) != 0;
    const size_t slash = words.find('/');
    const bool address = words.find("://") != std::string_view::npos;
    if (words.find("file:") != std::string_view::npos) return false;
    if (!harmless && (!named || (slash != std::string_view::npos && !address))) return false;
    if (!address && MayBeArchive(std::string(words.substr(0, words.find_first_of(" \t"))))) {
      return false;
    }
  }
  return true;
}

// Whether a setting of pip's names a place on this machine, where every job has something else.
bool NameThisMachine(const Variables& variables) {
  return std::any_of(variables.begin(), variables.end(), [](const auto& variable) {
    const auto& [name, value] = variable;
    const bool path = value.find('/') != std::string::npos;
    return name.starts_with("PIP_") && path &&
           (value.find("://") == std::string::npos || value.find("file:") != std::string::npos);
  });
}

std::string KeyOf(const std::string& text, const std::string& python, const Variables& variables) {
  std::string all = text + '\0' + python + '\0';
  struct stat info{};
  // Another Python at the same place has other packages.
  if (stat(python.c_str(), &info) == 0) {
    all += std::to_string(info.st_size) + '\0' + std::to_string(info.st_mtime) + '\0';
  }
  for (const auto& [name, value] : variables) {
    if (name != "PATH") all += name + "=" + value + '\0';
  }
  return net::Hex(net::Sha256(all)).substr(0, 32);
}

}  // namespace

std::optional<Requirements> RequirementsOf(const HostLayout& layout,
                                           const JobEnvironment& environment,
                                           const Variables& variables,
                                           const std::optional<os::Box>& box,
                                           const std::string& packages) {
  if (layout.in_container() || environment.python.empty()) return std::nullopt;
  const std::string file = "code/requirements.txt";
  const os::UniqueFd code(open(layout.Here("code").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Not by a link, which could lead anywhere.
  if (!code.ok() || !os::OpenFileBeneath(code.get(), "requirements.txt").ok()) return std::nullopt;
  const std::string text = os::ReadWholeFile(layout.Here(file)).value_or("");
  const std::string python = ProgramOnPath(environment.python);
  if (Trim(text).empty() || python.empty()) return std::nullopt;
  const Variables own = InstallersVariables(variables);
  Requirements requirements;
  requirements.draft = RealPath(layout.agent()) + "/packages";
  const bool shared = box && MeanTheSameEverywhere(text) && !NameThisMachine(own);
  requirements.folder =
      shared ? RealPath(packages) + "/" + KeyOf(text, python, own) : requirements.draft;
  requirements.words = {python, "-c", kInstall, requirements.folder, layout.Seen(file)};
  requirements.environment = AsEnvironment(own);
  requirements.directory = layout.Seen("code");
  requirements.box = box;
  if (box) requirements.box->shown.push_back({requirements.draft, requirements.folder, "", true});
  return requirements;
}

void UseRequirements(const Requirements& requirements, Variables* variables,
                     std::optional<os::Box>* box) {
  const auto put_last = [&](const char* name, const std::string& folder) {
    std::string& path = (*variables)[name];
    path = path.empty() ? folder : path + ":" + folder;
  };
  put_last("PYTHONPATH", requirements.folder + "/site");
  put_last("PATH", requirements.folder + "/bin");
  if (!*box) return;
  os::Box::Shown shown{requirements.folder, requirements.folder, "", false};
  shown.optional = true;  // They may fail to be installed.
  (*box)->shown.push_back(std::move(shown));
}

bool AreInstalled(const Requirements& requirements) {
  return requirements.folder != requirements.draft && os::PathExists(requirements.folder);
}

Status BeginInstalling(const Requirements& requirements) {
  std::error_code error;
  fs::remove_all(requirements.draft, error);
  if (mkdir(requirements.draft.c_str(), 0755) != 0) {
    return os::IoError("create", requirements.draft, errno);
  }
  chmod(requirements.draft.c_str(), 0755);
  if (!requirements.box || !requirements.box->user) return Status();
  const uid_t user = *requirements.box->user;
  if (chown(requirements.draft.c_str(), user, user) == 0) return Status();
  return os::IoError("change the owner of", requirements.draft, errno);
}

Status EndInstalling(const Requirements& requirements, bool succeeded) {
  std::error_code error;
  if (!succeeded) {
    fs::remove_all(requirements.draft, error);
    return Status();
  }
  if (requirements.folder == requirements.draft) return Status();
  fs::create_directories(fs::path(requirements.folder).parent_path(), error);
  if (rename(requirements.draft.c_str(), requirements.folder.c_str()) == 0) return Status();
  const int failure = errno;
  fs::remove_all(requirements.draft, error);
  // Another job was faster.
  if (failure == EEXIST || failure == ENOTEMPTY) return Status();
  return os::IoError("create", requirements.folder, failure);
}

Json ToJson(const Requirements& requirements) {
  return {{"folder", requirements.folder},
          {"draft", requirements.draft},
          {"words", requirements.words},
          {"environment", requirements.environment},
          {"directory", requirements.directory},
          {"box", requirements.box ? ToJson(*requirements.box) : Json()}};
}

Result<Requirements> RequirementsFromJson(const Json& json) {
  Requirements requirements;
  requirements.folder = TextOf(MemberOf(json, "folder"));
  requirements.draft = TextOf(MemberOf(json, "draft"));
  requirements.directory = TextOf(MemberOf(json, "directory"));
  const std::pair<const char*, std::vector<std::string>*> lists[] = {
      {"words", &requirements.words}, {"environment", &requirements.environment}};
  for (const auto& [name, to] : lists) {
    const Json* list = MemberOf(json, name);
    if (list == nullptr || !list->is_array()) continue;
    for (const Json& each : *list) to->push_back(TextOf(&each));
  }
  if (!requirements.folder.starts_with('/') || !requirements.draft.starts_with('/') ||
      requirements.words.empty()) {
    return Status(Code::kCorrupt, "requirements: folder, draft or words is missing or invalid");
  }
  if (const Json* described = MemberOf(json, "box")) {
    auto box = BoxFromJson(*described);
    if (!box.ok()) return box.status().WithContext("requirements");
    requirements.box = std::move(box.value());
  }
  return requirements;
}

}  // namespace warden::jobs
