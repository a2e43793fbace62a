#include "warden/net/transfer.h"

#include <algorithm>

namespace warden::net {
namespace {

constexpr long kConnectSeconds = 10;
constexpr long kSeconds = 30;
constexpr size_t kBodyBytes = 4096;

// Once for the process, before the first handle; safe for many threads in the versions we take.
bool Initialized() {
  static const bool done = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return done;
}

size_t KeepBeginning(char* data, size_t size, size_t count, void* out) {
  auto* body = static_cast<std::string*>(out);
  body->append(data, std::min(size * count, kBodyBytes - body->size()));
  return size * count;
}

int EndWhenStopped(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const std::stop_token*>(stop)->stop_requested() ? 1 : 0;
}

bool MayHelpToRetry(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_AGAIN:
    case CURLE_OUT_OF_MEMORY: return true;
    default: return false;
  }
}

}  // namespace

Connections::~Connections() {
  for (CURL* handle : idle_) curl_easy_cleanup(handle);
}

CURL* Connections::Take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      CURL* handle = idle_.back();
      idle_.pop_back();
      return handle;
    }
  }
  return Initialized() ? curl_easy_init() : nullptr;
}

void Connections::Give(CURL* used) {
  curl_easy_reset(used);  // The options; connections stay.
  const std::lock_guard lock(mutex_);
  idle_.push_back(used);
}

void Transfer::FreeHandle::operator()(CURL* handle) const {
  if (connections == nullptr) return curl_easy_cleanup(handle);
  connections->Give(handle);
}

Transfer::Transfer(const std::string& url, const char* protocols, Connections* connections)
    : handle_(connections != nullptr ? connections->Take()
              : Initialized()        ? curl_easy_init()
                                     : nullptr,
              FreeHandle{connections}) {
  if (handle_ == nullptr) {
    setup_ = CURLE_FAILED_INIT;
    return;
  }
  Set(CURLOPT_ERRORBUFFER, &error_[0]);
  Set(CURLOPT_NOSIGNAL, 1L);
  Set(CURLOPT_PROTOCOLS_STR, protocols);
  Set(CURLOPT_FOLLOWLOCATION, 0L);
  Set(CURLOPT_URL, url.c_str());
  Set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  Set(CURLOPT_TIMEOUT, kSeconds);
  Set(CURLOPT_WRITEFUNCTION, &KeepBeginning);
  Set(CURLOPT_WRITEDATA, &body_);
}

void Transfer::Add(const std::string& line, List* list) {
  curl_slist* longer = curl_slist_append(list->get(), line.c_str());
  if (longer == nullptr) return Keep(CURLE_OUT_OF_MEMORY);
  (void)list->release();
  list->reset(longer);
}

Status Transfer::Perform(const std::stop_token& stop) {
  if (headers_) Set(CURLOPT_HTTPHEADER, headers_.get());
  if (recipients_) Set(CURLOPT_MAIL_RCPT, recipients_.get());
  Set(CURLOPT_XFERINFOFUNCTION, &EndWhenStopped);
  Set(CURLOPT_XFERINFODATA, &stop);
  Set(CURLOPT_NOPROGRESS, 0L);
  const CURLcode code = setup_ == CURLE_OK ? curl_easy_perform(handle_.get()) : setup_;
  if (code == CURLE_OK) return Status();
  if (code == CURLE_ABORTED_BY_CALLBACK) return Status(Code::kUnavailable, "interrupted");
  return Status(MayHelpToRetry(code) ? Code::kUnavailable : Code::kInvalid,
                error_[0] != '\0' ? error_ : curl_easy_strerror(code));
}

long Transfer::response_code() const {
  long code = 0;
  if (handle_) curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &code);
  return code;
}

long Transfer::retry_after() const {
  curl_off_t seconds = 0;
  if (handle_) curl_easy_getinfo(handle_.get(), CURLINFO_RETRY_AFTER, &seconds);
  return static_cast<long>(seconds);
}

}  // namespace warden::net
