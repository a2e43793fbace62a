#include "warden/cli/text_target.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace warden::cli {
namespace {

constexpr size_t kTargetBlock = 256 << 10;

}  // namespace

Result<TextTarget> TextTarget::Open(const std::string& path, Output* out) {
  TextTarget target;
  target.out_ = out;
  if (path == "-") return target;
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "."
                             : slash == 0               ? "/"
                                                        : path.substr(0, slash);
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  std::error_code error;
  if (!storage::IsValidKey(name) || std::filesystem::is_directory(path, error)) {
    return Status(Code::kInvalid,
                  fmt::format("--out is '{}'; expected a file name that does not end in .tmp, or - "
                              "for standard output",
                              path));
  }
  auto store = storage::OpenStore(folder);
  if (!store.ok()) return store.status().WithContext("--out");
  target.store_ = std::move(store.value());
  auto writer = target.store_->Create(name);
  if (!writer.ok()) return writer.status().WithContext("--out");
  target.writer_ = std::move(writer.value());
  return target;
}

void TextTarget::Write(std::string_view text) {
  if (writer_ == nullptr) return out_->Write(text);
  buffer_ += text;
  if (buffer_.size() >= kTargetBlock) Flush();
}

void TextTarget::Flush() {
  if (status_.ok()) status_ = writer_->Append(AsBytes(buffer_));
  buffer_.clear();
}

Status TextTarget::Finish() {
  if (writer_ == nullptr) return out_->Flush();
  Flush();
  if (status_.ok()) status_ = writer_->Commit();
  return status_;
}

}  // namespace warden::cli
