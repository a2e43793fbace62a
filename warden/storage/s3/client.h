#ifndef WARDEN_STORAGE_S3_CLIENT_H_
#define WARDEN_STORAGE_S3_CLIENT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/net/transfer.h"
#include "warden/storage/s3/answers.h"
#include "warden/storage/s3/credentials.h"
#include "warden/storage/s3/exchange.h"
#include "warden/storage/s3/server_settings.h"

namespace warden::storage::s3 {

// Sends signed requests to one bucket. Those that fail for a while (no connection, a server that is
// busy or restarts) are sent again after a growing, random pause, at most seven times in all, over
// about ten seconds, unless the settings say otherwise. Wrong regions and expired credentials are
// corrected where the server says how. Connections are kept. Safe for many threads.
class Client {
 public:
  Client(Settings settings, std::string bucket, std::unique_ptr<CredentialSource> credentials)
      : settings_(std::move(settings)),
        bucket_(std::move(bucket)),
        credentials_(std::move(credentials)) {}

  // The answer, whatever its status, once it is not of the kind that trying again may change.
  // kUnavailable if there is none, kInvalid if there can be none (no credentials, a bad endpoint),
  // with the bucket, the key and what to do.
  Result<Answer> Send(const Call& call);

  // What an answer that is not ok means: kNotFound, kExists (a condition was not met), kUnavailable
  // (busy) or kIo (refused). Names bucket, key, HTTP status, S3's own code, and what to do.
  Status Refusal(const Call& call, const Answer& answer) const;

  // "s3://bucket/key".
  std::string Locate(std::string_view key) const;

  // All objects whose keys begin with prefix and come after start_after (if it is not empty), in
  // byte order; one request for each 1000. Keys are whole. Errors as of Send and Refusal.
  Result<std::vector<ListedObject>> List(const std::string& prefix, const std::string& start_after);

  // What is in one folder and not below it: prefix is empty or ends in '/'. Likewise.
  struct Listed {
    std::vector<ListedObject> objects;
    std::vector<std::string> folders;  // With '/' at the end.
  };
  Result<Listed> ListFolder(const std::string& prefix);

  // Where it sends to now.
  std::string endpoint() const { return CurrentSettings().endpoint; }

  // Requests sent so far, repeated ones included.
  uint64_t requests() const { return requests_; }

  // Headers for new objects, as the settings ask.
  std::vector<std::string> EncryptionHeaders() const;

 private:
  Result<Answer> SendOnce(const Call& call, const Settings& settings, const Credentials& keys);
  // All pages of what the query asks for.
  Result<Listed> ListAll(const std::string& prefix, const QueryPairs& query);
  Settings CurrentSettings() const;
  // Whether the answer says that the bucket is elsewhere, and that was news.
  bool LearnRegion(const Answer& answer);

  mutable std::mutex mutex_;  // Guards settings_.
  Settings settings_;
  const std::string bucket_;
  const std::unique_ptr<CredentialSource> credentials_;
  net::Connections connections_;
  std::atomic<uint64_t> requests_ = 0;
};

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_CLIENT_H_
