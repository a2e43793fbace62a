#include "warden/auth/credentials_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "warden/base/strings.h"

namespace warden::auth {
namespace {

bool IsPlain(char c) { return c > 0x20 && c < 0x7F; }

Status SetId(AccessKey* key, const std::string& value) {
  // It is a part of a path in signatures.
  if (value.size() > 128 || value.find('/') != std::string::npos ||
      !std::ranges::all_of(value, IsPlain)) {
    return Status(Code::kInvalid, "invalid access key; expected at most 128 letters and digits");
  }
  key->id = value;
  return Status();
}

Status SetScopes(AccessKey* key, const std::string& value) {
  static constexpr std::pair<std::string_view, Scope> kNames[] = {
      {"read", Scope::kRead}, {"write", Scope::kWrite}, {"exec", Scope::kExec}};
  key->scopes = 0;
  for (const std::string& word : SplitTrimmed(value, ',')) {
    const auto* name = std::ranges::find(kNames, word, &std::pair<std::string_view, Scope>::first);
    if (name == std::end(kNames)) {
      return Status(Code::kInvalid,
                    fmt::format("unknown scope \"{}\"; expected one of: read, write, exec", word));
    }
    key->scopes |= static_cast<uint8_t>(name->second);
  }
  if (key->scopes == 0)
    return Status(Code::kInvalid, "no scope given; expected some of: read, write, exec");
  return Status();
}

Status SetAccount(AccessKey* key, const std::string& value) {
  if (value.size() != 12 ||
      !std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; })) {
    return Status(Code::kInvalid, fmt::format("account is \"{}\"; expected 12 digits", value));
  }
  key->account = value;
  return Status();
}

// Reads "team-a-,shared-": beginnings of names.
Status SetBeginnings(const std::string& value, bool (*is_in_names)(char), std::string_view expected,
                     std::vector<std::string>* beginnings) {
  constexpr size_t kLongestName = 63;
  for (const std::string& word : SplitTrimmed(value, ',')) {
    if (word.size() > kLongestName || !std::ranges::all_of(word, is_in_names)) {
      return Status(Code::kInvalid,
                    fmt::format("invalid prefix \"{}\"; expected {}", word, expected));
    }
    beginnings->push_back(word);
  }
  if (beginnings->empty()) {
    return Status(Code::kInvalid, fmt::format("no prefix given; expected {}", expected));
  }
  return Status();
}

bool IsLowerOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

Status SetJobs(AccessKey* key, const std::string& value) {
  const auto is_in_names = [](char c) {
    return IsLowerOrDigit(c) || (c >= 'A' && c <= 'Z') || c == '-';
  };
  return SetBeginnings(value, is_in_names, "at most 63 letters, digits and '-', as in job names",
                       &key->limits.jobs);
}

Status SetBuckets(AccessKey* key, const std::string& value) {
  const auto is_in_names = [](char c) { return IsLowerOrDigit(c) || c == '-' || c == '.'; };
  return SetBeginnings(value, is_in_names,
                       "at most 63 lowercase letters, digits, '-' and '.', as in bucket names",
                       &key->limits.buckets);
}

struct Setting {
  std::string_view name;
  Status (*set)(AccessKey*, const std::string&);
};

constexpr Setting kSettings[] = {
    {"aws_access_key_id", &SetId},
    {"aws_secret_access_key",
     [](AccessKey* key, const std::string& value) {
       key->secret = os::Secret(value);
       return Status();
     }},
    {"aws_session_token",
     [](AccessKey* key, const std::string& value) {
       key->session_token = os::Secret(value);
       return Status();
     }},
    {"warden_scopes", &SetScopes},
    {"warden_account", &SetAccount},
    {"warden_jobs", &SetJobs},
    {"warden_buckets", &SetBuckets},
};

// Reads the file line by line, as Python's configparser does for AWS's own programs.
class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  Status Line(std::string_view line) {
    ++number_;
    const std::string_view text = Trim(line);
    if (text.empty() || text.front() == '#' || text.front() == ';') return Status();
    const size_t indent = line.find_first_not_of(" \t");
    if (!option_.empty() && indent > option_indent_) return Continued();
    if (text.front() == '[') return Section(text);
    return Option(text, indent);
  }

  Result<std::vector<AccessKey>> End() {
    if (Status status = EndProfile(); !status.ok()) return status;
    if (keys_.empty()) {
      return Status(Code::kInvalid,
                    fmt::format("{} has no access key; expected a profile such as [default] with "
                                "aws_access_key_id and aws_secret_access_key",
                                path_));
    }
    return std::move(keys_);
  }

 private:
  Status Wrong(int line, std::string_view what) const {
    return Status(Code::kInvalid, fmt::format("{}, line {}: {}", path_, line, what));
  }

  Status Section(std::string_view text) {
    if (Status status = EndProfile(); !status.ok()) return status;
    const std::string name(Trim(text.substr(1, text.size() - 2)));
    if (text.size() < 3 || text.back() != ']' || name.empty()) {
      return Wrong(number_, "invalid profile name; expected a name in brackets, such as [default]");
    }
    if (!profiles_.insert(name).second) {
      return Wrong(number_, fmt::format("duplicate profile \"{}\"", name));
    }
    profile_ = name;
    profile_line_ = number_;
    key_ = AccessKey();
    return Status();
  }

  Status Option(std::string_view text, size_t indent) {
    const size_t sign = text.find_first_of("=:");
    if (sign == std::string_view::npos || sign == 0) {
      // The line is not repeated: it may be a secret.
      return Wrong(number_, "expected a setting such as aws_access_key_id = ID");
    }
    if (!profile_)
      return Wrong(number_,
                   "setting before the first profile; expected a profile such as [default] first");
    option_ = LowerAscii(Trim(text.substr(0, sign)));
    option_indent_ = indent;
    const auto* setting = std::ranges::find(kSettings, option_, &Setting::name);
    is_known_ = setting != std::end(kSettings);
    // A limit that is spelled wrong must not become no limit.
    if (!is_known_ && option_.starts_with("warden_")) {
      return Wrong(number_, fmt::format("unknown setting {}; expected one of: warden_scopes, "
                                        "warden_account, warden_jobs, warden_buckets",
                                        option_));
    }
    if (!is_known_) return Status();
    if (!options_.insert(option_).second) {
      return Wrong(number_, fmt::format("duplicate setting {} in one profile", option_));
    }
    const std::string value(Trim(text.substr(sign + 1)));
    if (value.empty()) return Wrong(number_, option_ + " has no value");
    const Status status = setting->set(&key_, value);
    return status.ok() ? status : Wrong(number_, option_ + ": " + status.message());
  }

  // A value that goes on in the next line: other programs have such settings.
  Status Continued() const {
    if (is_known_) return Wrong(number_, option_ + " has more than one line");
    return Status();
  }

  Status EndProfile() {
    option_.clear();
    options_.clear();
    if (!profile_ || (key_.id.empty() && key_.secret.empty())) return Status();
    if (key_.id.empty() || key_.secret.empty()) {
      return Wrong(profile_line_,
                   fmt::format("profile \"{}\" has no {}", *profile_,
                               key_.id.empty() ? "aws_access_key_id" : "aws_secret_access_key"));
    }
    // One without the other would be no limit: jobs read and write buckets.
    if (key_.limits.jobs.empty() != key_.limits.buckets.empty()) {
      const bool has_jobs = !key_.limits.jobs.empty();
      return Wrong(profile_line_,
                   fmt::format("profile \"{}\" has {} but no {}; expected both or neither",
                               *profile_, has_jobs ? "warden_jobs" : "warden_buckets",
                               has_jobs ? "warden_buckets" : "warden_jobs"));
    }
    if (std::ranges::find(keys_, key_.id, &AccessKey::id) != keys_.end()) {
      return Wrong(profile_line_,
                   fmt::format("the access key of profile \"{}\" is used twice", *profile_));
    }
    keys_.push_back(std::move(key_));
    key_ = AccessKey();
    return Status();
  }

  const std::string path_;
  int number_ = 0;
  std::optional<std::string> profile_;
  int profile_line_ = 0;
  std::string option_;  // The last one.
  size_t option_indent_ = 0;
  bool is_known_ = false;
  AccessKey key_;  // Of the profile.
  std::set<std::string> profiles_, options_;
  std::vector<AccessKey> keys_;
};

}  // namespace

Result<std::vector<AccessKey>> ParseCredentials(std::string_view text, const std::string& path) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Reader reader(path);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1);
    if (Status status = reader.Line(text.substr(0, end + 1)); !status.ok()) return status;
    text.remove_prefix(end + 1);
  }
  return reader.End();
}

Result<std::vector<AccessKey>> ReadCredentials(const std::string& path) {
  const auto file = os::ReadPrivateText(path);
  if (!file.ok()) return file.status();
  if (!file.value().is_private) return os::NotPrivate(path);
  return ParseCredentials(file.value().text, path);
}

}  // namespace warden::auth
