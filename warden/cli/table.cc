#include "warden/cli/table.h"

#include <algorithm>
#include <numeric>

#include "warden/cli/text.h"

namespace warden::cli {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kLeastShrunk = 8;

// The text filled up to the width, styled without the blanks, so that no color runs on. Nothing
// is put after the last column: blanks there only make lines wrap.
std::string Fill(const Cell& cell, size_t width, Align align, bool last, const Terminal& terminal) {
  const std::string text = Shorten(cell.text, width, CutMark(terminal));
  const std::string blanks(width - std::min(width, DisplayWidth(text)), ' ');
  std::string filled = Styled(text, cell.style, terminal);
  if (align == Align::kRight) return blanks + filled;
  return last ? filled : filled + blanks;
}

}  // namespace

void Table::Add(std::vector<Cell> cells) {
  for (Cell& cell : cells) cell.text = Printable(cell.text);
  rows_.push_back(std::move(cells));
}

std::vector<size_t> Table::Widths(const Terminal& terminal) const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t width = DisplayWidth(columns_[i].title);
    for (const auto& row : rows_) width = std::max(width, DisplayWidth(row[i].text));
    widths.push_back(width);
  }
  if (!terminal.interactive) return widths;
  const size_t total = std::accumulate(widths.begin(), widths.end(), kGap * (columns_.size() - 1));
  size_t excess = total - std::min<size_t>(total, static_cast<size_t>(terminal.width));
  for (size_t i = columns_.size(); i-- > 0 && excess > 0;) {
    if (!columns_[i].shrinks || widths[i] <= kLeastShrunk) continue;
    const size_t cut = std::min(excess, widths[i] - kLeastShrunk);
    widths[i] -= cut;
    excess -= cut;
  }
  return widths;
}

void Table::Print(Output* out) const {
  const Terminal& terminal = out->terminal();
  const std::vector<size_t> widths = Widths(terminal);
  const auto print_row = [&](const auto& cell_at) {
    std::string line;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const bool last = i + 1 == columns_.size();
      line += Fill(cell_at(i), widths[i], columns_[i].align, last, terminal);
      if (!last) line.append(kGap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out->Write(line + "\n");
  };
  print_row([&](size_t i) { return Cell(columns_[i].title, Style::kBold); });
  for (const auto& row : rows_) print_row([&](size_t i) -> const Cell& { return row[i]; });
}

}  // namespace warden::cli
