// The sinks that write one long text: csv and json.
#include <fmt/format.h>

#include <iterator>

#include "warden/base/json.h"
#include "warden/cli/export_sink.h"
#include "warden/cli/text.h"
#include "warden/cli/text_target.h"
#include "warden/view/text/array_text.h"
#include "warden/view/text/element_format.h"

namespace warden::cli {
namespace {

// As RFC 4180 has it.
std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

class CsvSink : public ExportSink {
 public:
  CsvSink(TextTarget target, bool statistics) : target_(std::move(target)) {
    target_.Write("tensor,step,mode,mode_step,worker,");
    target_.Write(statistics
                      ? fmt::format("dtype,shape,{}\n", fmt::join(trial::kStatisticNames, ","))
                      : "index,value\n");
  }

  Status AddValue(const ExportItem& item, const trial::TensorValue& value) override {
    const std::string prefix = Prefix(item);
    const size_t count = value.ref().count();
    std::string row;
    for (size_t i = 0; i < count && target_.ok(); ++i) {
      row = prefix;
      fmt::format_to(std::back_inserter(row), "{},", i);
      // Only text can need quotes.
      const std::string element = view::ElementAsText(value, i);
      row += value.dtype == DType::kString ? CsvField(element) : element;
      row += '\n';
      target_.Write(row);
    }
    return target_.status();
  }

  Status AddStatistics(const ExportItem& item, const trial::TensorStatistics& statistics) override {
    std::string row = Prefix(item);
    if (statistics.value) row += DTypeName(statistics.value->dtype);
    row += ',' + CsvField(statistics.shape ? FormatShape(*statistics.shape) : "");
    for (size_t i = 0; i < statistics.numbers.size(); ++i) {
      row += ',';
      if (statistics.numbers[i]) row += fmt::format("{}", *statistics.numbers[i]);
    }
    target_.Write(row + '\n');
    return target_.status();
  }

  Status Finish() override { return target_.Finish(); }

 private:
  static std::string Prefix(const ExportItem& item) {
    return fmt::format("{},{},{},{},{},", CsvField(item.tensor), item.step, ModeName(item.at.mode),
                       item.at.step, CsvField(item.worker));
  }

  TextTarget target_;
};

class JsonSink : public ExportSink {
 public:
  explicit JsonSink(TextTarget target) : target_(std::move(target)) {}

  Status AddValue(const ExportItem& item, const trial::TensorValue& value) override {
    std::string head = DumpLikePython(Describe(item, value.dtype, value.shape));
    // The values, which may be very many, go where the closing brace would be.
    head.back() = ',';
    target_.Write(head + " \"values\": ");
    view::PrintValuesAsJson(value, [this](std::string_view text) { target_.Write(text); });
    target_.Write("}\n");
    return target_.status();
  }

  Status AddStatistics(const ExportItem& item, const trial::TensorStatistics& statistics) override {
    const auto dtype = statistics.value ? std::optional(statistics.value->dtype) : std::nullopt;
    Json json = Describe(item, dtype, statistics.shape);
    json["stats"] = trial::ToJson(statistics.numbers);
    target_.Write(DumpLikePython(json) + '\n');
    return target_.status();
  }

  Status Finish() override { return target_.Finish(); }

 private:
  static Json Describe(const ExportItem& item, std::optional<DType> dtype,
                       const std::optional<std::vector<int64_t>>& shape) {
    return {{"tensor", item.tensor},
            {"step", item.step},
            {"mode", ModeName(item.at.mode)},
            {"mode_step", item.at.step},
            {"worker", item.worker},
            {"dtype", dtype ? Json(DTypeName(*dtype)) : Json()},
            {"shape", shape ? Json(*shape) : Json()}};
  }

  TextTarget target_;
};

}  // namespace

Result<std::unique_ptr<ExportSink>> NewCsvSink(const std::string& path, bool statistics,
                                               Output* out) {
  auto target = TextTarget::Open(path, out);
  if (!target.ok()) return target.status();
  return std::unique_ptr<ExportSink>(
      std::make_unique<CsvSink>(std::move(target.value()), statistics));
}

Result<std::unique_ptr<ExportSink>> NewJsonSink(const std::string& path, Output* out) {
  auto target = TextTarget::Open(path, out);
  if (!target.ok()) return target.status();
  return std::unique_ptr<ExportSink>(std::make_unique<JsonSink>(std::move(target.value())));
}

}  // namespace warden::cli
