/** A column: its title, and which cell of a row goes there. */
export interface TableColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  /** Numbers stand under one another by their last digit. */
  readonly alignRight?: true;
}

const GAP = '  ';
const CONTROL_CHARACTERS = /\p{Cc}/gu;

/** Columns as wide as their widest cell, with titles above; a sentence when there is nothing. */
export function textTable<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  whenEmpty: string,
): string {
  if (rows.length === 0) return whenEmpty;
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ cell }) => shown(cell(row)))),
  ];
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((cells) => (cells[index] ?? '').length)),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => {
          const width = widths[index] ?? 0;
          return columns[index]?.alignRight === true ? cell.padStart(width) : cell.padEnd(width);
        })
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

/** A stored text must neither break the table nor speak to the terminal. */
export function shown(text: string): string {
  return text.replaceAll(CONTROL_CHARACTERS, '?');
}

/** An instant as people compare them: UTC, to the millisecond. */
export function instantText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '');
}
