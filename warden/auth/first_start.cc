#include "warden/auth/first_start.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>

#include "warden/net/digest.h"
#include "warden/os/posix.h"

namespace warden::auth {
namespace {

constexpr size_t kShortestToken = 32;

Result<std::string> RandomBytes(size_t size) {
  std::string bytes(size, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(size)) != 1) {
    return Status(Code::kIo, "cannot create a secret: the system provides no random numbers");
  }
  return bytes;
}

// One letter for each byte; the number of letters divides 256, so that all are equally likely.
std::string Letters(std::string_view bytes, std::string_view letters) {
  std::string text;
  for (const char c : bytes) text += letters[static_cast<uint8_t>(c) % letters.size()];
  return text;
}

Status WriteAll(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t size = write(file, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return os::IoError("write", path, errno);
    text.remove_prefix(static_cast<size_t>(size));
  }
  return fsync(file) == 0 ? Status() : os::IoError("write", path, errno);
}

Status SyncFolder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  const os::UniqueFd opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.ok() || fsync(opened.get()) != 0) return os::IoError("write", folder, errno);
  return Status();
}

}  // namespace

Status MakePrivateFile(const std::string& path, std::string_view text) {
  const auto random = RandomBytes(8);
  if (!random.ok()) return random.status();
  // Under another name first: a crash leaves no half of a secret.
  const std::string draft = fmt::format("{}.{}", path, net::Hex(random.value()));
  const os::UniqueFd file(
      open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file.ok()) return os::IoError("create", draft, errno);
  Status status = WriteAll(file.get(), text, draft);
  // In place of a rename, which would replace what another has made meanwhile.
  if (status.ok() && link(draft.c_str(), path.c_str()) != 0) {
    status = errno == EEXIST ? Status(Code::kExists, path + " exists")
                             : os::IoError("create", path, errno);
  }
  unlink(draft.c_str());
  return status.ok() ? SyncFolder(path) : status;
}

Result<os::Secret> TokenOf(const std::string& path) {
  auto token = os::ReadSecretFile(path);
  if (token.status().code() == Code::kNotFound) {
    const auto random = RandomBytes(32);
    if (!random.ok()) return random.status();
    const Status made = MakePrivateFile(path, net::Hex(random.value()) + "\n");
    if (!made.ok() && made.code() != Code::kExists) return made;
    token = os::ReadSecretFile(path);
  }
  if (token.ok() && token.value().Reveal().size() < kShortestToken) {
    return Status(Code::kInvalid, fmt::format("the token in {} is too short; expected at least {} "
                                              "characters. Remove the file to create a new token",
                                              path, kShortestToken));
  }
  return token;
}

Status MakeCredentials(const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) return Status();
  const auto id = RandomBytes(14), secret = RandomBytes(40);
  if (!id.ok()) return id.status();
  if (!secret.ok()) return secret.status();
  const std::string text = fmt::format(
      "# Created by 'warden serve' on its first start. Anyone who can read this file can use the "
      "service.\n[default]\naws_access_key_id = WARDEN{}\naws_secret_access_key = {}\n",
      Letters(id.value(), "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
      Letters(secret.value(), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"));
  const Status made = MakePrivateFile(path, text);
  return made.code() == Code::kExists ? Status() : made;
}

}  // namespace warden::auth
