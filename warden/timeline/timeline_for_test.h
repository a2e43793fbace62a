#ifndef WARDEN_TIMELINE_TIMELINE_FOR_TEST_H_
#define WARDEN_TIMELINE_TIMELINE_FOR_TEST_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "warden/base/checkout_for_test.h"
#include "warden/base/json.h"
#include "warden/os/temp_folder_for_test.h"

// For the tests of what reads profiler data.
namespace warden::timeline {

// A profiler's folder in the making.
class ProfilerFolderForTest {
 public:
  std::string path() const { return folder_.path(); }
  std::string PathOf(const std::string& key) const { return folder_.path() / key; }

  void Write(const std::string& key, std::string_view text) { Open(key, std::ios::trunc) << text; }
  void Append(const std::string& key, std::string_view text) { Open(key, std::ios::app) << text; }
  void Rename(const std::string& from, const std::string& to) {
    std::filesystem::create_directories((folder_.path() / to).parent_path());
    std::filesystem::rename(folder_.path() / from, folder_.path() / to);
  }

 private:
  std::ofstream Open(const std::string& key, std::ios::openmode mode) {
    const std::filesystem::path path = folder_.path() / key;
    std::filesystem::create_directories(path.parent_path());
    return std::ofstream(path, std::ios::binary | mode);
  }

  os::TempFolder folder_;
};

inline std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Json ReadJsonFile(const std::filesystem::path& path) {
  auto json = ParseJson(ReadText(path));
  EXPECT_TRUE(json.ok()) << path << ": " << json.status().message();
  return json.ok() ? json.value() : Json();
}

// The recorded run, and what the original says of it.
inline const std::filesystem::path kRecorded = SourceFile("python/tests/profiler/data");
// The original's own samples, where they are at hand.
inline const std::filesystem::path kOriginal = SourceFile("../shared/golden/profiler-original");

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_TIMELINE_FOR_TEST_H_
