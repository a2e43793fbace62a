#include "warden/config/manifest.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "warden/base/checkout_for_test.h"

namespace warden::config {
namespace {

std::vector<std::filesystem::path> RecordedManifests() {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path golden = SourceFile("tests/golden");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(golden)) {
    if (entry.path().filename().string().ends_with("_collections.json")) {
      paths.push_back(entry.path());
    }
  }
  return paths;
}

TEST(Manifest, EveryRecordedOneIsWrittenAgainByteForByte) {
  const auto paths = RecordedManifests();
  EXPECT_GE(paths.size(), 12u);
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto manifest = ParseManifest(text);
    ASSERT_TRUE(manifest.ok()) << path << ": " << manifest.status().message();
    EXPECT_EQ(EncodeManifest(manifest.value()), text) << path;
  }
}

TEST(Manifest, BuiltinsStandInTheRecordedOrder) {
  const auto manifest = EncodeManifest({BuiltinCollections(Framework::kPyTorch), 1});
  size_t last = 0;
  for (const char* name : {"biases", "all", "weights", "gradients", "default", "losses"}) {
    const size_t at = manifest.find("{\"name\": \"" + std::string(name));
    ASSERT_NE(at, std::string::npos) << name;
    EXPECT_GT(at, last) << name;
    last = at;
  }
}

TEST(Manifest, OpenConfigurationsStayNull) {
  const std::string text =
      R"({"collections": {"a": {"name": "a", "include_regex": [], "tensor_names": [], )"
      R"("reduction_config": null, "save_config": null, "save_histogram": true}}, )"
      R"("_meta": {"num_workers": 3}})";
  const auto manifest = ParseManifest(text);
  ASSERT_TRUE(manifest.ok()) << manifest.status().message();
  EXPECT_FALSE(manifest.value().collections.at("a").save_config.has_value());
  EXPECT_EQ(manifest.value().num_workers, 3);
  EXPECT_EQ(EncodeManifest(manifest.value()), text);
}

TEST(Manifest, RolesComeBackInTheirOrder) {
  Manifest manifest{BuiltinCollections(Framework::kPyTorch), 2};
  const std::string without = EncodeManifest(manifest);
  EXPECT_EQ(without.find("roles"), std::string::npos);
  manifest.roles = {{"relu_output", {"b.10_output_", "b.9_output_"}}, {"labels", {"Loß_input_1"}}};
  const std::string text = EncodeManifest(manifest);
  EXPECT_TRUE(
      text.ends_with(R"("_meta": {"num_workers": 2, "roles": {"labels": ["Lo\u00df_input_1"], )"
                     R"("relu_output": ["b.10_output_", "b.9_output_"]}}})"))
      << text;
  const auto read = ParseManifest(text);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read.value().roles, manifest.roles);
  EXPECT_EQ(read.value().collections, manifest.collections);
  EXPECT_EQ(EncodeManifest(read.value()), text);
}

TEST(Manifest, TheNameInsideCountsAndTheKeyWithoutOne) {
  const auto manifest = ParseManifest(R"({"collections": {"key": {"name": "real"}, "only": {}}})");
  ASSERT_TRUE(manifest.ok()) << manifest.status().message();
  EXPECT_TRUE(manifest.value().collections.contains("real"));
  EXPECT_EQ(manifest.value().collections.at("only").name, "only");
  EXPECT_EQ(manifest.value().num_workers, 1);
}

TEST(Manifest, RefusesWhatIsNone) {
  const auto error = [](std::string_view text) {
    const auto manifest = ParseManifest(text);
    EXPECT_EQ(manifest.status().code(), Code::kCorrupt) << text;
    return manifest.status().message();
  };
  EXPECT_TRUE(error("{\"collections\": ").starts_with("invalid JSON at byte"));
  EXPECT_EQ(error("[]"), "expected an object, got []");
  EXPECT_EQ(error("{}"), "collections is missing");
  EXPECT_EQ(error(R"({"collections": [], "_meta": {}})"),
            "collections: expected an object, got []");
  EXPECT_EQ(error(R"({"collections": {}, "extra": 1})"),
            R"(unknown key "extra"; expected one of: collections, _meta)");
  EXPECT_EQ(error(R"({"collections": {"a": {"name": 5}}})"),
            "collections.a: name: expected a string, got 5");
  EXPECT_EQ(error(R"({"collections": {}, "_meta": {"num_workers": "2"}})"),
            R"(_meta: num_workers: expected an integer, got "2")");
  EXPECT_EQ(error(R"({"collections": {}, "_meta": {"num_workers": 3000000000}})"),
            "_meta.num_workers is 3000000000; expected a non-negative 32-bit integer");
  EXPECT_EQ(error(R"({"collections": {}, "_meta": {"roles": ["labels"]}})"),
            R"(_meta.roles: expected an object, got ["labels"])");
  EXPECT_TRUE(error(R"({"collections": {}, "_meta": {"roles": {"labels": "x"}}})")
                  .starts_with("_meta.roles: labels: "));
}

}  // namespace
}  // namespace warden::config
