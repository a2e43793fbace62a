#include "warden/actions/address.h"

#include <gtest/gtest.h>

#include <string>

namespace warden::actions {
namespace {

TEST(AddressTest, Email) {
  for (const char* good : {"abc@abc.com", "First.Last+tag@mail.example.org", "a@b.co"}) {
    EXPECT_TRUE(IsEmailAddress(good)) << good;
  }
  for (const char* bad :
       {"", "abc", "@abc.com", "abc@", "abc@com", "a b@abc.com", "a@b@abc.com", "a..b@abc.com",
        "a@abc..com", "a@-abc.com", "<a@abc.com>", "a@abc.com\r\nBcc: x@abc.com", "a,b@abc.com",
        "\"a\"@abc.com", "\xc3\xa4@abc.com", "a@abc.com "}) {
    EXPECT_FALSE(IsEmailAddress(bad)) << bad;
  }
  EXPECT_FALSE(IsEmailAddress(std::string(250, 'a') + "@abc.com"));
}

TEST(AddressTest, PhoneNumber) {
  for (const char* good : {"+1234567", "+1234567890", "+123456789012345"}) {
    EXPECT_TRUE(IsPhoneNumber(good)) << good;
  }
  for (const char* bad : {"", "+", "1234567890", "+123456", "+1234567890123456", "+1 222 333 4444",
                          "+1222333444a", "++12223334444"}) {
    EXPECT_FALSE(IsPhoneNumber(bad)) << bad;
  }
}

TEST(AddressTest, JobPrefix) {
  EXPECT_TRUE(IsJobPrefix("Demo-001"));
  for (const char* bad : {"", "a_b", "a b", "a/b"}) EXPECT_FALSE(IsJobPrefix(bad)) << bad;
}

}  // namespace
}  // namespace warden::actions
