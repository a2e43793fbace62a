#ifndef WARDEN_NET_TRANSFER_H_
#define WARDEN_NET_TRANSFER_H_

#include <curl/curl.h>

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>

#include "warden/base/status.h"

namespace warden::net {

// One transfer by libcurl: bounded in time and in what it keeps of the answer, ended by a stop,
// raising no signals, going nowhere but to the URL given. For one thread.
class Transfer {
 public:
  // protocols: "http,https".
  Transfer(const std::string& url, const char* protocols);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  // The first option that is refused makes Perform fail. What pointers point to outlives this.
  template <class T>
  void Set(CURLoption option, T value) {
    static_assert(std::is_pointer_v<T> || std::is_same_v<T, long> || std::is_same_v<T, curl_off_t>,
                  "the library takes long where it says so, not int");
    Keep(curl_easy_setopt(handle_.get(), option, value));
  }
  // For CURLOPT_HTTPHEADER.
  void AddHeader(const std::string& line) { Add(line, &headers_); }
  // For CURLOPT_MAIL_RCPT.
  void AddRecipient(const std::string& address) { Add(address, &recipients_); }

  // kUnavailable if the other side could not be reached or broke off, or a stop was requested;
  // kInvalid if trying again will not help. An answer with any status code is not an error here.
  Status Perform(const std::stop_token& stop);

  // Of the last answer; 0 if there was none.
  long response_code() const;
  // Seconds that the answer's Retry-After asks for; 0 if it does not.
  long retry_after() const;
  // The beginning of the answer, as long as a message can use.
  const std::string& body() const { return body_; }

 private:
  struct FreeHandle {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
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
