#include <fmt/format.h>

#include <array>
#include <set>

#include "warden/base/text/uri.h"
#include "warden/cli/export_sink.h"
#include "warden/format/npy.h"

namespace warden::cli {
namespace {

class NpySink : public ExportSink {
 public:
  explicit NpySink(std::unique_ptr<storage::Store> store) : store_(std::move(store)) {}

  Status AddValue(const ExportItem& item, const trial::TensorValue& value) override {
    const auto file = Encode(value);
    if (!file.ok()) return file.status().WithContext(item.tensor);
    auto writer = store_->Create(FileName(item));
    if (!writer.ok()) return writer.status();
    const std::array<Bytes, 2> pieces = {AsBytes(file.value().header), file.value().data};
    if (Status status = writer.value()->Append(pieces); !status.ok()) return status;
    return writer.value()->Commit();
  }

  Status AddStatistics(const ExportItem&, const trial::TensorStatistics&) override {
    return Status(Code::kInvalid, "--stats requires --format csv or json, got npy");
  }

  Status Finish() override { return Status(); }

 private:
  static Result<format::NpyFile> Encode(const trial::TensorValue& value) {
    if (value.dtype == DType::kString) return format::EncodeNpy(value.shape, value.strings);
    return format::EncodeNpy(value.dtype, value.shape, value.data);
  }

  // '@' is never part of a safe name, so the parts can be told apart again. Only names that had to
  // be cut can meet; the later one then gets a number.
  std::string FileName(const ExportItem& item) {
    const std::string stem =
        fmt::format("{}@{:06}@{}", SafeFileName(item.tensor), item.step, SafeFileName(item.worker));
    std::string name = stem;
    for (int number = 2; !used_.insert(name).second; ++number) {
      name = fmt::format("{}@{}", stem, number);
    }
    return name + ".npy";
  }

  std::unique_ptr<storage::Store> store_;
  std::set<std::string> used_;
};

}  // namespace

Result<std::unique_ptr<ExportSink>> NewNpySink(const std::string& path) {
  if (path == "-") {
    return Status(Code::kInvalid, "--out is '-'; expected a folder for --format npy");
  }
  auto store = storage::OpenStore(path);
  if (!store.ok()) return store.status().WithContext("--out");
  return std::unique_ptr<ExportSink>(std::make_unique<NpySink>(std::move(store.value())));
}

}  // namespace warden::cli
