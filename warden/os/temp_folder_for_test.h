#ifndef WARDEN_OS_TEMP_FOLDER_FOR_TEST_H_
#define WARDEN_OS_TEMP_FOLDER_FOR_TEST_H_

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace warden::os {

// A fresh folder that is removed with the object.
class TempFolder {
 public:
  TempFolder() {
    static std::atomic<int> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("warden-test-" + std::to_string(getpid()) + "-" + std::to_string(++count));
    std::filesystem::create_directories(path_);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::string File(std::string_view name) const { return path() / name; }
  // The path of a new file with this text, which only its owner may read.
  std::string Write(std::string_view name, std::string_view text) const {
    const std::string file = File(name);
    std::ofstream(file) << text;
    std::filesystem::permissions(
        file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    return file;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace warden::os

#endif  // WARDEN_OS_TEMP_FOLDER_FOR_TEST_H_
