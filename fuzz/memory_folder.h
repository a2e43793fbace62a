#ifndef FUZZ_MEMORY_FOLDER_H_
#define FUZZ_MEMORY_FOLDER_H_

// For parsers that can only be reached through a file.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "fuzz/check.h"

namespace warden::fuzz {

// A new folder, in memory where the system has such a place; removed with this object.
class MemoryFolder {
 public:
  MemoryFolder() {
    const std::filesystem::path memory = "/dev/shm";
    std::string name =
        (std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path()) /
        "tensorwarden-fuzz.XXXXXX";
    Check(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~MemoryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Replaces what is in the file, which keeps its other names.
inline void Write(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace warden::fuzz

#endif  // FUZZ_MEMORY_FOLDER_H_
