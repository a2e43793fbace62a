#include "warden/actions/mail.h"

#include <gtest/gtest.h>

#include "warden/net/digest.h"

namespace warden::actions {
namespace {

Mail SomeMail() {
  return {"warden@example.com",
          "me@example.org",
          "SMDebugRule:AllZero fired",
          "First.\nSecond.\n",
          "some-id",
          std::chrono::sys_seconds(std::chrono::seconds(1'767'323'045))};
}

TEST(MailTest, IsAMessage) {
  EXPECT_EQ(FormatMail(SomeMail()),
            "Date: Fri, 02 Jan 2026 03:04:05 +0000\r\n"
            "From: warden@example.com\r\n"
            "To: me@example.org\r\n"
            "Subject: SMDebugRule:AllZero fired\r\n"
            "Message-ID: <some-id@example.com>\r\n"
            "Auto-Submitted: auto-generated\r\n"
            "MIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            "Content-Transfer-Encoding: base64\r\n"
            "\r\n" +
                net::Base64("First.\r\nSecond.\r\n") + "\r\n");
}

TEST(MailTest, NothingInASubjectBecomesAHeader) {
  Mail mail = SomeMail();
  mail.subject = "x\r\nBcc: you@example.com\r\n\r\nbody";
  const std::string text = FormatMail(mail);
  EXPECT_EQ(text.find("\r\nBcc"), std::string::npos);
  EXPECT_NE(text.find("Subject: x  Bcc: you@example.com    body\r\n"), std::string::npos);
}

TEST(MailTest, OtherLettersAreEncodedInShortWords) {
  Mail mail = SomeMail();
  mail.subject.clear();
  for (int i = 0; i < 40; ++i) mail.subject += "\xe2\x82\xac";
  const std::string text = FormatMail(mail);
  const size_t begin = text.find("Subject: =?utf-8?B?");
  ASSERT_NE(begin, std::string::npos);
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find("\r\n", at);
    EXPECT_LE(end - at, 84U);
    at = end + 2;
  }
  // No dot alone on a line ends the message early.
  mail.body = ".\n";
  EXPECT_EQ(FormatMail(mail).find("\r\n."), std::string::npos);
}

}  // namespace
}  // namespace warden::actions
