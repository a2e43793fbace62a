#include <gtest/gtest.h>

#include "warden/base/json.h"
#include "warden/base/pattern.h"
TEST(Pattern, LookAhead) {
  auto p = warden::Pattern::Compile("^(?!gradient).*weight");
  ASSERT_TRUE(p.ok());
  EXPECT_TRUE(p.value().Search("conv.weight"));
  EXPECT_FALSE(p.value().Search("gradient/conv.weight"));
}
