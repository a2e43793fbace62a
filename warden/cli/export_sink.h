#ifndef WARDEN_CLI_EXPORT_SINK_H_
#define WARDEN_CLI_EXPORT_SINK_H_

#include <cstdint>
#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/cli/figures.h"
#include "warden/cli/output.h"
#include "warden/trial/trial.h"

namespace warden::cli {

// Tensor, step and worker of a value.
struct ExportItem {
  std::string tensor;
  Step step = 0;  // Global.
  trial::ModeStep at;
  std::string worker;
};

// Where exported values go. Nothing of a file is seen before Finish (npy: before its own end).
class ExportSink {
 public:
  virtual ~ExportSink() = default;
  virtual Status AddValue(const ExportItem& item, const trial::TensorValue& value) = 0;
  virtual Status AddFigures(const ExportItem& item, const TensorFigures& figures) = 0;
  virtual Status Finish() = 0;
};

// path is the file to write; "-" is standard output.
Result<std::unique_ptr<ExportSink>> NewCsvSink(const std::string& path, bool figures, Output* out);
// One JSON object on each line.
Result<std::unique_ptr<ExportSink>> NewJsonSink(const std::string& path, Output* out);
// path is a folder; one file for each value.
Result<std::unique_ptr<ExportSink>> NewNpySink(const std::string& path);

}  // namespace warden::cli

#endif  // WARDEN_CLI_EXPORT_SINK_H_
