#ifndef WARDEN_CLI_TABLE_H_
#define WARDEN_CLI_TABLE_H_

// Tables for people on the terminal; `--json` is for scripts.
//
//   Table table({{"STEP", Align::kRight}, {"NAME", Align::kLeft, /*shrinks=*/true}});
//   table.Add({std::to_string(step), name});
//   table.Print(out);

#include <string>
#include <utility>
#include <vector>

#include "warden/cli/output.h"
#include "warden/cli/terminal.h"

namespace warden::cli {

enum class Align { kLeft, kRight };  // Numbers are aligned right.

// Titles are in capitals by convention. Numbers to the right, texts to the left: people compare
// digits by their places.
struct Column {
  std::string title;
  Align align = Align::kLeft;
  bool shrinks = false;  // Cut where the table is wider than the terminal; never in a file.
};

// Text with a style; strings convert. The text may be anything: see Table.
struct Cell {
  Cell(std::string cell_text, Style cell_style = Style::kPlain)  // NOLINT: implicit
      : text(std::move(cell_text)), style(cell_style) {}
  Cell(const char* cell_text, Style cell_style = Style::kPlain)  // NOLINT: implicit
      : text(cell_text), style(cell_style) {}

  std::string text;
  Style style;
};

// Rows of text in columns that are as wide as what is in them. Cells are made printable here, so
// that names from a run cannot control the terminal. Holds all rows in memory. For one thread.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // REQUIRES: as many cells as there are columns.
  void Add(std::vector<Cell> cells);
  bool empty() const { return rows_.empty(); }

  // The titles, then the rows. On a terminal that is too narrow, columns that shrink are cut, the
  // last one first, to no less than 8 characters. Widths are in characters of a terminal, not in
  // bytes. Into a file or a pipe nothing is cut and no colors are written.
  void Print(Output* out) const;

 private:
  std::vector<size_t> Widths(const Terminal& terminal) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_TABLE_H_
