#include "warden/trial/run_origin.h"

#include <algorithm>
#include <array>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/os/whole_file.h"
#include "warden/storage/store.h"

namespace warden::trial {
namespace {

constexpr char kOriginFile[] = "warden/origin.json";
constexpr size_t kMostOriginBytes = 16 << 20;

// Parts of names, between '_', '-' and '.'. The last two only at the end: --key-dim and
// --max-tokens are not secrets.
constexpr std::array<std::string_view, 10> kSecretParts = {
    "apikey", "secret", "secrets", "password", "passphrase",
    "passwd", "pwd",    "auth",    "cookie",   "credentials"};
constexpr std::array<std::string_view, 2> kSecretEnds = {"key", "token"};

using Type = Json::value_t;
constexpr std::array<std::pair<const char*, Type>, 6> kOriginMembers = {
    {{"command", Type::array},
     {"directory", Type::string},
     {"environment", Type::object},
     {"git", Type::object},
     {"python", Type::object},
     {"machine", Type::object}}};

constexpr char kDigits[] = "0123456789";
constexpr char kLettersOfNames[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
constexpr char kLettersOfKeys[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/=";
constexpr size_t kShortestKey = 8;

// The name that something is assigned to: of `api_key`, `"api_key"`, `settings["api_key"]`.
std::string_view NameBefore(std::string_view text) {
  const size_t end = text.find_last_not_of(" \t\"']");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  const size_t before = text.find_last_not_of(kLettersOfNames);
  return before == std::string_view::npos ? text : text.substr(before + 1);
}

// Where the secret is in what is assigned, as start and length: a text in quotes, or a last word
// that can be nothing but a key. Nothing for other code, such as `key = keys[0]`.
std::pair<size_t, size_t> SecretIn(std::string_view assigned) {
  const size_t begin = assigned.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  const size_t quote = assigned.find_first_not_of("bBrRuUfF", begin);
  if (quote != std::string_view::npos && (assigned[quote] == '"' || assigned[quote] == '\'')) {
    const size_t end = std::min(assigned.size(), assigned.find(assigned[quote], quote + 1));
    return {quote + 1, end - quote - 1};
  }
  const std::string_view word =
      assigned.substr(begin, assigned.find_last_not_of(" \t\r") + 1 - begin);
  const bool is_key = word.size() >= kShortestKey &&
                      word.find_first_of(kDigits) != std::string_view::npos &&
                      word.find_first_not_of(kLettersOfKeys) == std::string_view::npos;
  return is_key ? std::pair(begin, word.size()) : std::pair<size_t, size_t>();
}

std::string LineWithoutSecrets(std::string_view line) {
  std::string clean;
  bool is_secret = false;  // The name before a type: `api_key: str = "..."`.
  for (size_t at = line.find_first_of("=:"); at != std::string_view::npos;
       at = line.find_first_of("=:")) {
    const std::string_view name = NameBefore(line.substr(0, at));
    clean += line.substr(0, at + 1);
    line.remove_prefix(at + 1);
    if (line.starts_with('=')) {  // A comparison.
      clean += '=';
      line.remove_prefix(1);
      continue;
    }
    is_secret = IsSecretName(name) || (is_secret && clean.back() == '=');
    if (!is_secret) continue;
    const auto [start, size] = SecretIn(line);
    if (size == 0) continue;
    clean += std::string(line.substr(0, start)) + std::string(kMasked);
    line.remove_prefix(start + size);
    is_secret = false;
  }
  return clean.append(line);
}

}  // namespace

Json ReadRunOrigin(const std::string& run) {
  Json origin = Json::object();
  const auto text = os::ReadPlainFileInside(run, kOriginFile, kMostOriginBytes);
  const auto json = text ? ParseJson(*text) : Result<Json>(Json());
  if (!json.ok() || !json.value().is_object()) return origin;
  for (const auto& [name, type] : kOriginMembers) {
    const auto member = json.value().find(name);
    if (member != json.value().end() && member->type() == type) origin[name] = *member;
  }
  return origin;
}

Status WriteRunOrigin(const std::string& run, const Json& origin) {
  auto store = storage::OpenStore(run);
  if (!store.ok()) return store.status();
  return store.value()->Put(kOriginFile, AsBytes(DumpLikePython(origin) + "\n"));
}

bool IsSecretName(std::string_view name) {
  std::string words = LowerAscii(name);
  std::replace_if(words.begin(), words.end(), [](char c) { return c == '_' || c == '.'; }, '-');
  const auto parts = SplitTrimmed(words, '-');
  const bool ends =
      !parts.empty() && std::ranges::find(kSecretEnds, parts.back()) != kSecretEnds.end();
  return ends || std::any_of(parts.begin(), parts.end(), [](const std::string& part) {
           return std::ranges::find(kSecretParts, part) != kSecretParts.end();
         });
}

std::string WithoutPasswords(std::string_view text) {
  std::string clean;
  for (size_t scheme = text.find("://"); scheme != std::string_view::npos;
       scheme = text.find("://")) {
    clean += text.substr(0, scheme + 3);
    text.remove_prefix(scheme + 3);
    const std::string_view host = text.substr(0, text.find_first_of("/ \t\n\"'"));
    const size_t at = host.rfind('@');
    const size_t colon = host.find(':');
    if (at == std::string_view::npos || colon >= at) continue;
    clean += std::string(host.substr(0, colon + 1)) + std::string(kMasked);
    text.remove_prefix(at);
  }
  return clean.append(text);
}

std::vector<std::string> WithoutSecrets(const std::vector<std::string>& words) {
  std::vector<std::string> clean;
  bool masks_next = false;
  for (const std::string& word : words) {
    if (std::exchange(masks_next, false) && !word.starts_with("--")) {
      clean.emplace_back(kMasked);
      continue;
    }
    const size_t equals = word.find('=');
    const bool secret = IsSecretName(std::string_view(word).substr(0, equals));
    if (secret && equals != std::string::npos) {
      clean.push_back(word.substr(0, equals + 1) + std::string(kMasked));
    } else {
      masks_next = secret && word.starts_with("-");
      clean.push_back(WithoutPasswords(word));
    }
  }
  return clean;
}

std::string DiffWithoutSecrets(std::string_view diff) {
  std::string clean;
  while (!diff.empty()) {
    const size_t size = std::min(diff.size(), diff.find('\n'));
    clean += LineWithoutSecrets(diff.substr(0, size));
    diff.remove_prefix(size);
    if (diff.empty()) break;
    clean += '\n';
    diff.remove_prefix(1);
  }
  return WithoutPasswords(clean);
}

}  // namespace warden::trial
