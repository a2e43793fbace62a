#include <gtest/gtest.h>

#include "warden/config/collection.h"

namespace warden::config {
namespace {

Collection Named(std::string name) {
  Collection collection;
  collection.name = std::move(name);
  return collection;
}

std::vector<std::string> NamesOf(const Collections& collections) {
  std::vector<std::string> names;
  for (const auto& [name, collection] : collections) names.push_back(name);
  return names;
}

TEST(Collections, KeepsTheOrderOfAdding) {
  Collections collections;
  collections["z"].save_histogram = false;
  EXPECT_TRUE(collections.emplace("a", Named("a")).second);
  EXPECT_FALSE(collections.emplace("z", Named("z")).second);
  collections["m"];
  EXPECT_EQ(NamesOf(collections), (std::vector<std::string>{"z", "a", "m"}));
  EXPECT_EQ(collections.at("m").name, "m");
  EXPECT_FALSE(collections.at("z").save_histogram);
}

TEST(Collections, ReplacesInPlace) {
  Collections collections = {{"z", Named("z")}, {"a", Named("a")}};
  EXPECT_FALSE(collections.insert_or_assign("z", Named("new")).second);
  EXPECT_TRUE(collections.insert_or_assign("b", Named("b")).second);
  EXPECT_EQ(NamesOf(collections), (std::vector<std::string>{"z", "a", "b"}));
  EXPECT_EQ(collections.find("z")->second.name, "new");
}

TEST(Collections, FindsAndErases) {
  Collections collections = {{"z", Named("z")}, {"a", Named("a")}};
  EXPECT_TRUE(collections.contains("a"));
  EXPECT_EQ(collections.erase("a"), 1u);
  EXPECT_EQ(collections.erase("a"), 0u);
  EXPECT_EQ(collections.count("a"), 0u);
  EXPECT_EQ(collections.find("a"), collections.end());
  EXPECT_EQ(collections.size(), 1u);
  collections.clear();
  EXPECT_TRUE(collections.empty());
}

TEST(Collections, CopiesAreApart) {
  Collections collections = {{"a", Named("a")}};
  Collections copy;
  copy = collections;
  copy["a"].save_histogram = false;
  EXPECT_TRUE(collections.at("a").save_histogram);
  EXPECT_FALSE(collections == copy);
}

TEST(Collections, AddressesStay) {
  Collections collections;
  const Collection* first = &collections["a"];
  for (int i = 0; i < 100; ++i) collections[std::to_string(i)];
  EXPECT_EQ(first, &collections["a"]);
}

TEST(Collections, AreEqualWhateverTheOrder) {
  const Collections forth = {{"a", Named("a")}, {"b", Named("b")}};
  const Collections back = {{"b", Named("b")}, {"a", Named("a")}};
  const Collections other = {{"b", Named("b")}, {"c", Named("c")}};
  EXPECT_EQ(forth, back);
  EXPECT_FALSE(forth == other);
}

}  // namespace
}  // namespace warden::config
