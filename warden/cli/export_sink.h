#ifndef WARDEN_CLI_EXPORT_SINK_H_
#define WARDEN_CLI_EXPORT_SINK_H_

// What `warden trial export` writes to: one implementation for each format. The command reads
// values one at a time and hands each to the sink, so that a run of any size can be exported.
//
//   auto sink = NewCsvSink(path, /*statistics=*/false, out);
//   if (!sink.ok()) return sink.status();
//   if (Status status = sink.value()->AddValue(item, value); !status.ok()) return status;
//   return sink.value()->Finish();

#include <cstdint>
#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/cli/output.h"
#include "warden/trial/tensor_statistics.h"
#include "warden/trial/trial.h"

namespace warden::cli {

// Tensor, step and worker of a value.
struct ExportItem {
  std::string tensor;
  Step step = 0;       // Global.
  trial::ModeStep at;  // The same step within its mode.
  std::string worker;
};

// Where exported values go. Nothing of a file is seen before Finish (npy: before the value's own
// end): destroying the sink without it leaves no file. Either values or statistics are added, not
// both. For one thread.
class ExportSink {
 public:
  virtual ~ExportSink() = default;
  // Neither is kept. Errors are those of the storage, and kInvalid for a value that the format
  // cannot hold; after an error, give up.
  virtual Status AddValue(const ExportItem& item, const trial::TensorValue& value) = 0;
  // The statistics instead of the values; kInvalid for npy.
  virtual Status AddStatistics(const ExportItem& item,
                               const trial::TensorStatistics& statistics) = 0;
  // Makes the file appear. Call it once, last.
  virtual Status Finish() = 0;
};

// One row per element, or with statistics one row per tensor and step. path is the file to write;
// "-" is standard output. out outlives the sink. kInvalid for a path that cannot be a file.
Result<std::unique_ptr<ExportSink>> NewCsvSink(const std::string& path, bool statistics,
                                               Output* out);
// One JSON object on each line; path and out as above.
Result<std::unique_ptr<ExportSink>> NewJsonSink(const std::string& path, Output* out);
// path is a folder, created if missing; one file for each value, "TENSOR@STEP@WORKER.npy". kInvalid
// for "-".
Result<std::unique_ptr<ExportSink>> NewNpySink(const std::string& path);

}  // namespace warden::cli

#endif  // WARDEN_CLI_EXPORT_SINK_H_
