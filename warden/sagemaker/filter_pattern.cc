#include "warden/sagemaker/filter_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "warden/base/strings.h"

namespace warden::sagemaker {
namespace {

constexpr size_t kMostBytes = 1024;  // As at Amazon.

// The part of text that a term takes up, which begins with its quote if it has one; nothing if the
// quote is not closed.
std::optional<std::string_view> TermAt(std::string_view text) {
  const char first = text.front();
  if (first == '"' || first == '%') {
    const size_t end = text.find(first, 1);
    if (end == std::string_view::npos) return std::nullopt;
    return text.substr(0, end + 1);
  }
  return text.substr(0, text.find(' '));
}

}  // namespace

Result<FilterPattern> FilterPattern::Parse(std::string_view text) {
  FilterPattern pattern;
  if (text.size() > kMostBytes) {
    return Status(Code::kInvalid, fmt::format("filterPattern has {} bytes; expected at most {}",
                                              text.size(), kMostBytes));
  }
  text = Trim(text);
  if (text.starts_with('{') || text.starts_with('[')) {
    return Status(Code::kInvalid,
                  fmt::format("filterPattern '{}' is not supported: expected terms, \"phrases\", "
                              "?alternatives, -exclusions or %regular expressions%",
                              text));
  }
  while (!text.empty()) {
    std::vector<Term>* terms = &pattern.all_;
    if (text.size() > 1 && (text.front() == '?' || text.front() == '-')) {
      terms = text.front() == '?' ? &pattern.any_ : &pattern.none_;
      text.remove_prefix(1);
    }
    const auto term = TermAt(text);
    if (!term) {
      return Status(Code::kInvalid, fmt::format("filterPattern: {} is not closed", text));
    }
    text = Trim(text.substr(term->size()));
    const bool quoted = term->size() > 1 && (term->front() == '"' || term->front() == '%');
    if (Status status = pattern.Add(*term, quoted, terms); !status.ok()) return status;
  }
  return pattern;
}

Status FilterPattern::Add(std::string_view text, bool quoted, std::vector<Term>* terms) {
  Term term;
  term.text = quoted ? text.substr(1, text.size() - 2) : text;
  if (quoted && text.front() == '%') {
    auto compiled = Pattern::Compile(term.text);
    if (!compiled.ok()) return compiled.status();
    term.expression.push_back(std::move(compiled.value()));
  }
  terms->push_back(std::move(term));
  return Status();
}

bool FilterPattern::Term::IsIn(std::string_view line) const {
  return expression.empty() ? line.find(text) != std::string_view::npos
                            : expression.front().Search(line);
}

bool FilterPattern::Matches(std::string_view line) const {
  const auto is_in = [&](const Term& term) { return term.IsIn(line); };
  return std::ranges::all_of(all_, is_in) && std::ranges::none_of(none_, is_in) &&
         (any_.empty() || std::ranges::any_of(any_, is_in));
}

}  // namespace warden::sagemaker
