#include "warden/base/number_pattern.h"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <utility>

#include "warden/base/log.h"
#include "warden/base/pcre_code.h"
#include "warden/base/strings.h"

namespace warden {
namespace {

constexpr uint32_t kMostSteps = 100'000;
constexpr int kMostRunaways = 3;
constexpr uint32_t kPairs = 2;  // The whole match and the first group.

}  // namespace

struct NumberPattern::Compiled {
  std::string text;
  pcre2_code* code = nullptr;
  pcre2_match_context* context = nullptr;
  mutable std::atomic<int> runaways = 0;

  Compiled() = default;
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() {
    pcre2_match_context_free(context);
    pcre2_code_free(code);
  }
};

Result<NumberPattern> NumberPattern::Compile(std::string_view pattern) {
  auto made = std::make_shared<Compiled>();
  made->text = pattern;
  const Result<pcre2_code*> compiled = CompilePcre(pattern);
  if (!compiled.ok()) return compiled.status();
  made->code = compiled.value();
  // The interpreter, whose limits count the same steps on every machine.
  made->context = pcre2_match_context_create(nullptr);
  pcre2_set_match_limit(made->context, kMostSteps);
  pcre2_set_depth_limit(made->context, kMostSteps);
  return NumberPattern(std::move(made));
}

std::optional<double> NumberPattern::Find(std::string_view text) const {
  if (code_->runaways.load(std::memory_order_relaxed) >= kMostRunaways) return std::nullopt;
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> match(
      pcre2_match_data_create(kPairs, nullptr), &pcre2_match_data_free);
  const int found = pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                0, 0, match.get(), code_->context);
  if (found < 0) {
    const bool ran_away = found != PCRE2_ERROR_NOMATCH;
    if (ran_away && code_->runaways.fetch_add(1) + 1 == kMostRunaways) {
      LogWarning("pattern '{}' is dropped: matching takes too many steps", code_->text);
    }
    return std::nullopt;
  }
  const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(match.get());
  // 1: the pattern has no group, or it took no part; 0: there are more than are asked for.
  const size_t pair = found == 1 ? 0 : 1;
  if (ends[2 * pair] == PCRE2_UNSET) return std::nullopt;
  const auto number =
      ParseDouble(Trim(text.substr(ends[2 * pair], ends[2 * pair + 1] - ends[2 * pair])));
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace warden
