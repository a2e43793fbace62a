#ifndef WARDEN_CLI_LAUNCH_SPOOLED_RUNS_H_
#define WARDEN_CLI_LAUNCH_SPOOLED_RUNS_H_

#include "warden/base/status.h"
#include "warden/cli/output.h"
#include "warden/storage/s3/upload.h"
#include "warden/storage/spool/spool.h"

namespace warden::cli {

// Sends a run that waits for S3 on this machine. Without `follow` what there is now; *done says
// whether that was all, and the run is gone from here. With `follow` until it is, or until Ctrl-C:
// waits for a server that is away and, while somebody writes the run, tries again after every
// error. Call CatchInterrupts before. *total is what was sent, also after an error.
struct SpoolSent {
  storage::s3::Upload::Sent total;
  bool done = false;
};
Status SendSpooledRun(const storage::spool::SpooledRun& run, bool follow, SpoolSent* sent,
                      Output* out);

// After the end of a training whose run goes to S3: says goodbye as a writer and returns when all
// is there. Gives up, and says what to do, on Ctrl-C, if nobody sends it any more, or if the server
// has been away for a minute.
void WaitForUpload(const storage::spool::SpooledRun& run, Output* out);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_SPOOLED_RUNS_H_
