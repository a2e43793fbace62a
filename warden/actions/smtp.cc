#include "warden/actions/smtp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "warden/net/transfer.h"
#include "warden/net/url.h"

namespace warden::actions {
namespace {

using StartTls = SmtpSettings::StartTls;

constexpr std::string_view kSchemes[] = {"smtp", "smtps"};

long SslLevel(StartTls starttls) {
  switch (starttls) {
    case StartTls::kRequired: return CURLUSESSL_ALL;
    case StartTls::kOptional: return CURLUSESSL_TRY;
    case StartTls::kOff: return CURLUSESSL_NONE;
  }
  return CURLUSESSL_ALL;
}

// Hands out what is left of a text.
size_t ReadRest(char* out, size_t size, size_t count, void* from) {
  auto* rest = static_cast<std::string_view*>(from);
  const size_t part = std::min(size * count, rest->size());
  std::memcpy(out, rest->data(), part);
  rest->remove_prefix(part);
  return part;
}

}  // namespace

Status CheckSmtp(const SmtpSettings& smtp) {
  if (smtp.url.empty())
    return Status(Code::kInvalid, "no mail server configured; set WARDEN_SMTP_URL");
  if (smtp.from.empty()) {
    return Status(Code::kInvalid, "no sender configured; set WARDEN_SMTP_FROM");
  }
  const auto url = net::ParseUrl(smtp.url, kSchemes);
  if (!url.ok()) return url.status();
  const bool encrypted = url.value().scheme == "smtps" || smtp.starttls == StartTls::kRequired;
  if (!smtp.password.empty() && !encrypted && !net::IsLoopback(url.value())) {
    return Status(Code::kInvalid,
                  fmt::format("the password for {} would be sent without encryption; use smtps:// "
                              "or set WARDEN_SMTP_STARTTLS to required",
                              net::Shown(url.value())));
  }
  return Status();
}

Attempt SendMail(const SmtpSettings& smtp, const Mail& mail, const std::stop_token& stop) {
  const std::string message = FormatMail(mail);
  std::string_view rest = message;
  net::Transfer transfer(smtp.url, "smtp,smtps");
  transfer.Set(CURLOPT_USE_SSL, SslLevel(smtp.starttls));
  transfer.Set(CURLOPT_MAIL_FROM, mail.from.c_str());
  transfer.AddRecipient(mail.to);
  if (!smtp.user.empty()) {
    transfer.Set(CURLOPT_USERNAME, smtp.user.c_str());
    transfer.Set(CURLOPT_PASSWORD, smtp.password.Reveal().c_str());
  }
  transfer.Set(CURLOPT_UPLOAD, 1L);
  transfer.Set(CURLOPT_READFUNCTION, &ReadRest);
  transfer.Set(CURLOPT_READDATA, &rest);
  const Status status = transfer.Perform(stop);
  if (status.ok()) return status;
  // The server's 4xx answers are temporary, 5xx permanent.
  const long answer = transfer.response_code();
  const Code code = answer >= 500                   ? Code::kInvalid
                    : answer >= 400 && answer < 500 ? Code::kUnavailable
                                                    : status.code();
  return Status(code, fmt::format("{}: {}", net::ShownUrl(smtp.url), status.message()));
}

}  // namespace warden::actions
