// The program `warden`. Commands live in commands/, one file each; commands/commands.cc lists them
// and says how to add one.
#include <unistd.h>

#include <csignal>

#include "warden/cli/program/run_program.h"
#include "warden/storage/s3/s3_store.h"
#include "warden/storage/shortened_files.h"

int main(int argc, char** argv) {
  // As any filter: "warden ... | head" ends quietly, even where the caller ignores the signal.
  std::signal(SIGPIPE, SIG_DFL);
  // Runs belong to others, who may shorten their files while we read them.
  warden::storage::SurviveShortenedFiles();
  warden::storage::s3::UseS3();
  warden::cli::Output out(STDOUT_FILENO, STDERR_FILENO, warden::cli::DetectTerminal());
  return warden::cli::RunProgram(argc, argv, &out);
}
