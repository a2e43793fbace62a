#ifndef WARDEN_NET_TRANSFER_H_
#define WARDEN_NET_TRANSFER_H_

// Sends one request and gets its answer: HTTP for webhooks, AWS-like queries and the service's own
// API, SMTP for mail. Users are actions (http_post, smtp) and client (api_client).
//
//   net::Transfer transfer(url, "http,https");
//   transfer.AddHeader("Content-Type: application/json");
//   transfer.Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
//   transfer.Set(CURLOPT_POSTFIELDS, body.c_str());
//   if (Status status = transfer.Perform(stop); !status.ok()) return status;
//   if (transfer.response_code() >= 400) ...

#include <curl/curl.h>

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "warden/base/status.h"

namespace warden::net {

// Keeps connections open from one transfer to the next, for many requests to the same server. Safe
// for many threads; outlives the transfers that use it.
class Connections {
 public:
  Connections() = default;
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;
  ~Connections();

 private:
  friend class Transfer;
  CURL* Take();           // Null if the library cannot be initialized.
  void Give(CURL* used);  // Not null.

  std::mutex mutex_;
  std::vector<CURL*> idle_;  // Not in use now.
};

// One transfer by libcurl: bounded in time and in what it keeps of the answer, ended by a stop,
// raising no signals, going nowhere but to the URL given: redirections are not followed. 10 seconds
// for the connection and 30 for all of it, unless Set changes them. One object is for one transfer
// and for one thread; several objects may be used at the same time.
class Transfer {
 public:
  // protocols: those that are allowed, as libcurl lists them: "http,https". The URL is copied.
  // Cannot fail: a library that cannot be initialized makes Perform fail.
  // connections: where it takes its connection from, and leaves it for the next; null for one of
  // its own.
  Transfer(const std::string& url, const char* protocols, Connections* connections = nullptr);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  // The first option that is refused makes Perform fail. What pointers point to outlives this.
  template <class T>
  void Set(CURLoption option, T value) {
    static_assert(std::is_pointer_v<T> || std::is_same_v<T, long> || std::is_same_v<T, curl_off_t>,
                  "the library takes long where it says so, not int");
    Keep(curl_easy_setopt(handle_.get(), option, value));
  }
  // For CURLOPT_HTTPHEADER. "Name: value", without a line end. The line is copied.
  void AddHeader(const std::string& line) { Add(line, &headers_); }
  // For CURLOPT_MAIL_RCPT.
  void AddRecipient(const std::string& address) { Add(address, &recipients_); }

  // kUnavailable if the other side could not be reached or broke off, or a stop was requested;
  // kInvalid if trying again will not help. An answer with any status code is not an error here.
  // The message is libcurl's. Blocks; a stop is noticed within about a second.
  Status Perform(const std::stop_token& stop);

  // Of the last answer, by HTTP or SMTP; 0 if there was none.
  long response_code() const;
  // Seconds that the answer's Retry-After asks for; 0 if it does not.
  long retry_after() const;
  // The first 4096 bytes of the answer, as many as a message can use. Not made printable. For more,
  // set CURLOPT_WRITEFUNCTION before Perform; this stays empty then.
  const std::string& body() const { return body_; }

 private:
  struct FreeHandle {
    Connections* connections;
    void operator()(CURL* handle) const;
  };
  struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };
  using List = std::unique_ptr<curl_slist, FreeList>;

  void Keep(CURLcode code) {
    if (setup_ == CURLE_OK) setup_ = code;
  }
  void Add(const std::string& line, List* list);

  List headers_;
  List recipients_;
  std::string body_;
  char error_[CURL_ERROR_SIZE] = "";
  CURLcode setup_ = CURLE_OK;
  std::unique_ptr<CURL, FreeHandle> handle_;
};

}  // namespace warden::net

#endif  // WARDEN_NET_TRANSFER_H_
