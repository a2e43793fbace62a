#include "warden/base/pattern.h"

#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "warden/base/log.h"
#include "warden/base/pcre_code.h"

namespace warden {
namespace {

// Tensor names are short; a pattern that needs more work than this on one is a runaway.
constexpr uint32_t kMatchLimit = 1'000'000;
// A pattern that runs away on so many names does so on most: matching would take seconds.
constexpr int kMaxGivenUp = 3;
// Of a text shown in a message.
constexpr size_t kShownLength = 80;

}  // namespace

struct Pattern::Compiled {
  pcre2_code* code = nullptr;
  pcre2_match_context* context = nullptr;
  Runaway runaway = Runaway::kDrop;
  mutable std::atomic<int> given_up = 0;  // Texts.

  Compiled() = default;
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() {
    pcre2_match_context_free(context);
    pcre2_code_free(code);
  }
};

Pattern::Pattern(std::string text, std::shared_ptr<const Compiled> code)
    : text_(std::move(text)), code_(std::move(code)) {}

Result<Pattern> Pattern::Compile(std::string_view pattern, Runaway runaway) {
  auto code = std::make_shared<Compiled>();
  code->runaway = runaway;
  const Result<pcre2_code*> compiled = CompilePcre(pattern);
  if (!compiled.ok()) return compiled.status();
  code->code = compiled.value();
  // Where the machine has no just-in-time compiler, matching interprets: slower, never wrong.
  pcre2_jit_compile(code->code, PCRE2_JIT_COMPLETE);
  code->context = pcre2_match_context_create(nullptr);
  pcre2_set_match_limit(code->context, kMatchLimit);
  return Pattern(std::string(pattern), std::move(code));
}

bool Pattern::Search(std::string_view text) const {
  if (code_->given_up.load(std::memory_order_relaxed) >= kMaxGivenUp) return false;
  // One ovector pair is enough to hear yes or no.
  std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> match(
      pcre2_match_data_create(1, nullptr), &pcre2_match_data_free);
  const auto search = [&](uint32_t options) {
    return pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0,
                       options, match.get(), code_->context);
  };
  int found = search(0);
  // Compiled code has a small stack of its own; the interpreter takes what it needs from the heap.
  if (found == PCRE2_ERROR_JIT_STACKLIMIT) found = search(PCRE2_NO_JIT);
  if (found < 0 && found != PCRE2_ERROR_NOMATCH) GiveUp(text);
  return found >= 0;
}

void Pattern::GiveUp(std::string_view text) const {
  const std::string_view shown = text.substr(0, kShownLength);
  if (code_->runaway == Runaway::kKeep) {
    LogWarning("pattern '{}' skipped for '{}': matching takes too many steps", text_, shown);
  } else if (code_->given_up.fetch_add(1) == 0) {
    LogWarning(
        "pattern '{}' skipped for '{}': matching takes too many steps; after {} such names it "
        "matches nothing any more",
        text_, shown, kMaxGivenUp);
  }
}

}  // namespace warden
