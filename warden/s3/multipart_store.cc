#include "warden/s3/multipart_store.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/os/posix.h"
#include "warden/os/random.h"
#include "warden/os/whole_file.h"
#include "warden/s3/object_files.h"

namespace warden::s3 {
namespace {

constexpr size_t kIdDigits = 32;
constexpr std::string_view kUploadPrefix = "upload-";
constexpr std::string_view kDescription = "/upload.json";
constexpr std::string_view kHexDigits = "0123456789abcdef";

bool IsId(std::string_view id) {
  return id.size() == kIdDigits && id.find_first_not_of(kHexDigits) == std::string_view::npos;
}

bool IsMd5(std::string_view etag) {
  return etag.size() == 32 && etag.find_first_not_of(kHexDigits) == std::string_view::npos;
}

Status NoSuchUpload(const std::string& id) {
  return Status(Code::kNotFound, fmt::format("no upload '{}'", id));
}

Json ToJson(const PendingUpload& upload) {
  Json headers = Json::object();
  for (const auto& [name, value] : upload.headers) headers[name] = value;
  return {{"bucket", upload.bucket},
          {"key", upload.key},
          {"begun", upload.begun.time_since_epoch().count()},
          {"headers", std::move(headers)}};
}

bool FromJson(const Json& json, PendingUpload* upload) {
  if (!json.is_object() || !json.contains("bucket") || !json.contains("key") ||
      !json.contains("begun") || !json.contains("headers")) {
    return false;
  }
  const Json& headers = json["headers"];
  if (!json["bucket"].is_string() || !json["key"].is_string() ||
      !json["begun"].is_number_integer() || !headers.is_object()) {
    return false;
  }
  upload->bucket = json["bucket"].get<std::string>();
  upload->key = json["key"].get<std::string>();
  upload->begun = Time(std::chrono::milliseconds(json["begun"].get<int64_t>()));
  for (const auto& [name, value] : headers.items()) {
    if (value.is_string()) upload->headers.emplace_back(name, value.get<std::string>());
  }
  return true;
}

// "00001-<MD5>" as a part.
bool ReadPart(const std::filesystem::path& path, UploadedPart* part) {
  const std::string name = path.filename().native();
  const size_t dash = name.find('-');
  if (dash != 5 || !IsMd5(std::string_view(name).substr(6))) return false;
  const std::optional<int64_t> number = ParseInt(std::string_view(name).substr(0, 5));
  struct stat info;
  if (!number || lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  *part = {static_cast<int>(*number), name.substr(6), static_cast<uint64_t>(info.st_size),
           TimeOf(info.st_mtim)};
  return true;
}

}  // namespace

std::string MultipartStore::FolderOf(const std::string& id) const {
  return fmt::format("{}/{}{}", uploads_, kUploadPrefix, id);
}

std::string MultipartStore::PathOfPart(const std::string& id, int number,
                                       const std::string& etag) const {
  if (!IsMd5(etag)) return "";
  return fmt::format("{}/{:05}-{}", FolderOf(id), number, etag);
}

Result<std::string> MultipartStore::Begin(const PendingUpload& upload) const {
  std::string id = os::RandomHex(kIdDigits);
  const std::string folder = FolderOf(id);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return os::IoError("create the folder", folder, error.value());
  std::ofstream file(folder + std::string(kDescription), std::ios::binary);
  file << ToJson(upload).dump(-1, ' ', false, Json::error_handler_t::replace);
  file.close();
  if (!file) return os::IoError("write", folder, errno);
  return id;
}

Result<PendingUpload> MultipartStore::Read(const std::string& id) const {
  if (!IsId(id)) return NoSuchUpload(id);
  const std::optional<std::string> text =
      os::ReadWholeFile(FolderOf(id) + std::string(kDescription));
  if (!text) return NoSuchUpload(id);
  const Result<Json> json = ParseJson(*text);
  PendingUpload upload;
  upload.id = id;
  if (!json.ok() || !FromJson(json.value(), &upload)) return NoSuchUpload(id);
  return upload;
}

Result<PendingUpload> MultipartStore::Find(const std::string& id, const std::string& bucket,
                                           const std::string& key) const {
  Result<PendingUpload> upload = Read(id);
  if (!upload.ok()) return upload;
  if (upload.value().bucket != bucket || upload.value().key != key) return NoSuchUpload(id);
  return upload;
}

Result<std::vector<PendingUpload>> MultipartStore::List(const std::string& bucket) const {
  std::vector<PendingUpload> uploads;
  std::error_code error;
  for (std::filesystem::directory_iterator at(uploads_, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().native();
    if (!name.starts_with(kUploadPrefix)) continue;
    Result<PendingUpload> upload = Read(name.substr(kUploadPrefix.size()));
    if (upload.ok() && upload.value().bucket == bucket) {
      uploads.push_back(std::move(upload).value());
    }
  }
  std::sort(uploads.begin(), uploads.end(), [](const PendingUpload& a, const PendingUpload& b) {
    return std::tie(a.key, a.id) < std::tie(b.key, b.id);
  });
  return uploads;
}

Status MultipartStore::AddPart(const std::string& id, int number, const std::string& etag,
                               const std::string& file) const {
  const std::string path = PathOfPart(id, number, etag);
  if (std::rename(file.c_str(), path.c_str()) == 0) return Status();
  return errno == ENOENT ? NoSuchUpload(id) : os::IoError("write", path, errno);
}

Result<std::vector<UploadedPart>> MultipartStore::Parts(const std::string& id) const {
  std::vector<UploadedPart> parts;
  std::error_code error;
  for (std::filesystem::directory_iterator at(FolderOf(id), error), end; !error && at != end;
       at.increment(error)) {
    UploadedPart part;
    if (ReadPart(at->path(), &part)) parts.push_back(std::move(part));
  }
  if (error) return NoSuchUpload(id);
  std::sort(parts.begin(), parts.end(), [](const UploadedPart& a, const UploadedPart& b) {
    return std::tie(a.number, b.modified, a.etag) < std::tie(b.number, a.modified, b.etag);
  });
  const auto same = [](const UploadedPart& a, const UploadedPart& b) {
    return a.number == b.number;
  };
  parts.erase(std::unique(parts.begin(), parts.end(), same), parts.end());
  return parts;
}

void MultipartStore::Remove(const std::string& id) const {
  if (!IsId(id)) return;
  std::error_code ignored;
  std::filesystem::remove_all(FolderOf(id), ignored);
}

}  // namespace warden::s3
