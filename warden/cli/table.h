#ifndef WARDEN_CLI_TABLE_H_
#define WARDEN_CLI_TABLE_H_

#include <string>
#include <utility>
#include <vector>

#include "warden/cli/output.h"
#include "warden/cli/terminal.h"

namespace warden::cli {

enum class Align { kLeft, kRight };  // Numbers stand right.

struct Column {
  std::string title;
  Align align = Align::kLeft;
  bool shrinks = false;  // Cut where the table is wider than the terminal; never in a file.
};

struct Cell {
  Cell(std::string cell_text, Style cell_style = Style::kPlain)  // NOLINT: implicit
      : text(std::move(cell_text)), style(cell_style) {}
  Cell(const char* cell_text, Style cell_style = Style::kPlain)  // NOLINT: implicit
      : text(cell_text), style(cell_style) {}

  std::string text;
  Style style;
};

// Rows of text in columns that are as wide as what is in them. Cells are made printable here.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // REQUIRES: as many cells as there are columns.
  void Add(std::vector<Cell> cells);
  bool empty() const { return rows_.empty(); }

  void Print(Output* out) const;

 private:
  std::vector<size_t> Widths(const Terminal& terminal) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_TABLE_H_
