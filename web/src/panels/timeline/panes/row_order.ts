// Rows of a table by the values of a column; unchanged without one. Equal rows keep their order.
export function inOrder<Row>(
  rows: Row[],
  column: { value: (row: Row) => string | number } | undefined,
  ascending: boolean,
): Row[] {
  if (!column) return rows;
  const sign = ascending ? 1 : -1;
  return [...rows].sort((a, b) => {
    const [x, y] = [column.value(a), column.value(b)];
    if (typeof x === 'string' || typeof y === 'string')
      return sign * String(x).localeCompare(String(y), 'en', { numeric: true });
    return sign * (x - y);
  });
}
