#ifndef WARDEN_JOBS_DB_STORE_FOR_TEST_H_
#define WARDEN_JOBS_DB_STORE_FOR_TEST_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "warden/jobs/db/job_store.h"
#include "warden/jobs/record/job_for_test.h"

// For tests: the real store in a folder of its own.
namespace warden::jobs {

class StoreFolder {
 public:
  StoreFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "warden-db-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  StoreFolder(const StoreFolder&) = delete;
  ~StoreFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string Path() const { return folder_ + "/warden.db"; }
  const std::string& folder() const { return folder_; }
  std::unique_ptr<JobStore> Open() const {
    auto opened = OpenJobStore(Path());
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    return opened.ok() ? std::move(opened).value() : nullptr;
  }

 private:
  std::string folder_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_DB_STORE_FOR_TEST_H_
