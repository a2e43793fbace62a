#ifndef WARDEN_S3_S3_FOR_TEST_H_
#define WARDEN_S3_S3_FOR_TEST_H_

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "warden/os/temp_folder_for_test.h"
#include "warden/s3/s3.h"
#include "warden/storage/storage_for_test.h"

// For tests: S3 without the network.
namespace warden::s3 {

// Knows keys by their names alone.
class NamedKeys final : public auth::Authenticator {
 public:
  auth::Verdict Check(const http::RequestHead& head, std::string_view payload_hash) const override {
    last_hash = payload_hash;
    const std::string_view key = head.Header("authorization");
    if (key.empty()) return auth::Refusal{"MissingAuthenticationTokenException", "no key"};
    if (key == "forged") return auth::Refusal{"InvalidSignatureException", "wrong signature"};
    if (key == "stranger") return auth::Refusal{"UnrecognizedClientException", "unknown key"};
    int scopes = 0;
    if (key != "writer") scopes |= static_cast<int>(auth::Scope::kRead);
    if (key != "reader") scopes |= static_cast<int>(auth::Scope::kWrite);
    auth::Identity identity{std::string(key), "123456789012", region, static_cast<uint8_t>(scopes)};
    if (key == "team-a") identity.limits = {.jobs = {"team-a-"}, .buckets = {"team-a-"}};
    return identity;
  }

  void Record(const auth::Identity& identity, const auth::Deed& deed) const override {
    deeds.push_back(identity.access_key + " " + deed.action + " " + deed.resource + " " +
                    deed.outcome);
  }

  mutable std::string last_hash;
  mutable std::vector<std::string> deeds;
  std::string region = "us-east-1";
};

struct Answer {
  int status = 0;
  http::Headers headers;
  std::string body;  // Of a file too.
  bool refused_early = false;

  std::string Header(std::string_view name) const {
    for (const auto& [key, value] : headers) {
      if (key == name) return value;
    }
    return "";
  }
  bool Has(std::string_view text) const { return body.find(text) != std::string::npos; }
};

class S3Test : public ::testing::Test {
 protected:
  S3Test() {
    options_.data = folder_.path().native();
    s3_ = MakeS3(&options_, &keys_);
  }

  // target: "/bucket/key?query". The body comes in pieces of so many bytes.
  Answer Send(const std::string& method, const std::string& target, const std::string& body = "",
              http::Headers headers = {}, size_t piece = 7) {
    http::RequestHead head;
    head.method = method;
    head.path = target.substr(0, target.find('?'));
    if (target.find('?') != std::string::npos) head.query = target.substr(target.find('?') + 1);
    head.headers = std::move(headers);
    if (head.Header("authorization").empty()) head.headers.emplace_back("Authorization", "owner");
    if (!body.empty()) head.headers.emplace_back("Content-Length", std::to_string(body.size()));
    head.id = "request-1";
    const std::unique_ptr<http::Exchange> exchange = s3_->Begin(head);
    Answer answer;
    for (size_t at = 0; at < body.size(); at += piece) {
      if (exchange->Take(std::string_view(body).substr(at, piece))) continue;
      answer.refused_early = true;
      break;
    }
    const http::Response response = exchange->Answer();
    answer.status = response.status;
    answer.headers = response.headers;
    answer.body = response.file ? ReadPart(*response.file) : response.body;
    if (response.told_length) told_ = *response.told_length;
    return answer;
  }

  static std::string ReadPart(const http::FileBody& file) {
    std::ifstream stream(file.path, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(file.offset));
    std::string bytes(file.length, '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<size_t>(stream.gcount()));
    return bytes;
  }

  void Write(const std::string& path_in_data, const std::string& text) {
    const std::filesystem::path path = folder_.path() / path_in_data;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  // The keys (or common prefixes) of a listing, with blanks between.
  std::string Keys(const std::string& query, const std::string& element = "Key") {
    const std::string text = Send("GET", "/bucket?" + query).body;
    std::string keys;
    const std::string open = "<" + element + ">";
    for (size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
      const size_t start = at + open.size();
      keys += (keys.empty() ? "" : " ") + text.substr(start, text.find('<', start) - start);
    }
    return keys;
  }

  os::TempFolder folder_;
  service::ServiceOptions options_;
  NamedKeys keys_;
  std::unique_ptr<http::Handler> s3_;
  uint64_t told_ = 0;
};

}  // namespace warden::s3

#endif  // WARDEN_S3_S3_FOR_TEST_H_
