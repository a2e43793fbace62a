#include "warden/http/message.h"

#include <algorithm>

namespace warden::http {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool IsSameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return Lower(x) == Lower(y); });
}

class Gatherer : public Exchange {
 public:
  Gatherer(size_t limit, Response too_large, std::function<Response(std::string)> answer)
      : limit_(limit), too_large_(std::move(too_large)), answer_(std::move(answer)) {}

  bool Take(std::string_view piece) override {
    if (piece.size() > limit_ - body_.size()) {
      is_too_large_ = true;
      body_ = std::string();
    }
    if (is_too_large_) return false;
    body_ += piece;
    return true;
  }

  Response Answer() override {
    return is_too_large_ ? std::move(too_large_) : answer_(std::move(body_));
  }

 private:
  const size_t limit_;
  bool is_too_large_ = false;
  std::string body_;
  Response too_large_;
  std::function<Response(std::string)> answer_;
};

class Ready : public Exchange {
 public:
  explicit Ready(Response response) : response_(std::move(response)) {}

  bool Take(std::string_view) override { return false; }
  Response Answer() override { return std::move(response_); }

 private:
  Response response_;
};

}  // namespace

std::string_view RequestHead::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (IsSameName(key, name)) return value;
  }
  return {};
}

std::unique_ptr<Exchange> GatherBody(size_t limit, Response too_large,
                                     std::function<Response(std::string body)> answer) {
  return std::make_unique<Gatherer>(limit, std::move(too_large), std::move(answer));
}

std::unique_ptr<Exchange> AnswerAtOnce(Response response) {
  return std::make_unique<Ready>(std::move(response));
}

}  // namespace warden::http
