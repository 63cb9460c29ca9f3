/** Lines of a table as Markdown has them. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  return [`\n| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows.map(rowLine)];
}

function rowLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
