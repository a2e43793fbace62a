#ifndef WARDEN_STORAGE_S3_SPOOL_UPLOAD_H_
#define WARDEN_STORAGE_S3_SPOOL_UPLOAD_H_

#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/storage/s3/profiles.h"
#include "warden/storage/s3/upload.h"
#include "warden/storage/spool/spool.h"

namespace warden::storage::s3 {

// Sends a spooled run to S3 and removes it from this machine when nobody writes it any more and all
// of it is there. Above half of the spool's bound it removes tensors that were sent, so that a long
// training does not fill the disk. For one thread, which waits for the network.
//
//   auto upload = SpoolUpload::Open(run);
//   if (!upload.ok()) return upload.status();
//   const auto state = upload.value()->Pass();   // Again and again.
class SpoolUpload {
 public:
  // kUnavailable if another process is at it. kInvalid as Upload::Open. Where the server is, the
  // run says; keys are this process's.
  static Result<std::unique_ptr<SpoolUpload>> Open(const spool::SpooledRun& run);

  enum class State {
    kWritten,  // More may come.
    kLeft,     // Nobody writes it, but something was written after it was looked for.
    kDone,     // All is sent, and the folder is gone.
  };
  // Sends what is new. kUnavailable if the server does not answer. kExists if there is a finished
  // run at the place already, which is left alone. Other errors are those of stores. What became of
  // it is in the spool, for spool::UploadError.
  Result<State> Pass();

  // Whether any process writes the run.
  bool HasWriters() const;
  // Lets others send it. False, and nothing changes, if there are writers: those that come later
  // see that nobody sends, and start another uploader.
  bool GiveUp();

  const Upload::Sent& total() const { return upload_->total(); }

 private:
  SpoolUpload(spool::SpooledRun run, Variables variables, std::unique_ptr<Upload> upload)
      : run_(std::move(run)), variables_(std::move(variables)), upload_(std::move(upload)) {}

  Status LookForFinishedRun();
  Result<State> Send();
  void MakeRoom();
  Result<State> Finish();
  void Tell(const Status& status);

  const spool::SpooledRun run_;
  const Variables variables_;
  const std::unique_ptr<Upload> upload_;
  bool may_begin_ = false;
  std::string told_;
};

// Whether a run can be written to the place: kExists if a finished one is there already, kInvalid
// if there are no credentials, otherwise the errors of stores, such as for a bucket that does not
// exist. kUnavailable if the server does not answer now. One request.
Status CheckPlace(std::string_view url, const Variables& variables = ProcessVariables());

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_SPOOL_UPLOAD_H_
