#ifndef WARDEN_AUTH_CAPTURED_FOR_TEST_H_
#define WARDEN_AUTH_CAPTURED_FOR_TEST_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "warden/base/checkout_for_test.h"
#include "warden/http/message.h"
#include "warden/net/digest.h"
#include "warden/os/whole_file.h"

namespace warden::auth {

// Requests that real clients sent, in testdata, all signed with this pair, which is that of
// Amazon's own examples.
constexpr std::string_view kCapturedKey = "AKIDEXAMPLE";
constexpr std::string_view kCapturedSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

struct Captured {
  http::RequestHead head;
  std::string body;

  // As services hand it to the authenticator.
  std::string payload_hash() const {
    const std::string_view told = head.Header("x-amz-content-sha256");
    return told.empty() ? net::Hex(net::Sha256(body)) : std::string(told);
  }
};

inline std::string ReadCapturedText(const std::string& name) {
  const std::string folder = SourceFile("warden/auth/testdata/");
  const auto text = os::ReadWholeFile(folder + name + ".http");
  EXPECT_TRUE(text.has_value()) << name;
  return text.value_or("");
}

inline Captured ParseCaptured(std::string_view text) {
  Captured captured;
  const size_t end = text.find("\r\n\r\n");
  captured.body = text.substr(end + 4);
  text = text.substr(0, end + 2);
  const auto line = [&text] {
    const std::string_view first = text.substr(0, text.find("\r\n"));
    text.remove_prefix(first.size() + 2);
    return first;
  };
  const std::string_view request = line();
  const size_t blank = request.find(' ');
  const std::string_view target = request.substr(blank + 1, request.rfind(' ') - blank - 1);
  captured.head.method = request.substr(0, blank);
  captured.head.path = target.substr(0, target.find('?'));
  if (captured.head.path.size() < target.size()) {
    captured.head.query = target.substr(captured.head.path.size() + 1);
  }
  while (!text.empty()) {
    const std::string_view header = line();
    const size_t colon = header.find(": ");
    captured.head.headers.emplace_back(header.substr(0, colon), header.substr(colon + 2));
  }
  return captured;
}

inline Captured ReadCaptured(const std::string& name) {
  return ParseCaptured(ReadCapturedText(name));
}

}  // namespace warden::auth

#endif  // WARDEN_AUTH_CAPTURED_FOR_TEST_H_
