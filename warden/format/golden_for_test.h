#ifndef WARDEN_FORMAT_GOLDEN_FOR_TEST_H_
#define WARDEN_FORMAT_GOLDEN_FOR_TEST_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/checkout_for_test.h"

namespace warden::format {

inline std::string ReadWhole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

// The files that the original wrote, of all recorded runs, below one of a run's folders ("events",
// "index", "tensorboard").
inline std::vector<std::filesystem::path> GoldenFiles(std::string_view folder) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (const fs::directory_entry& run : fs::directory_iterator(SourceFile("tests/golden"))) {
    const fs::path root = run.path() / "trial" / folder;
    if (!fs::exists(root)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      // A .tmp was still being written when its run was killed.
      if (entry.is_regular_file() && entry.path().extension() != ".tmp") {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  EXPECT_FALSE(files.empty()) << folder;
  return files;
}

}  // namespace warden::format

#endif  // WARDEN_FORMAT_GOLDEN_FOR_TEST_H_
