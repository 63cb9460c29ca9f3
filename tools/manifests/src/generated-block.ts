/**
 * Replaces a part of a file that is otherwise written by hand: the lines between the comments
 * `Begin generated: <name>` and `End generated: <name>`, which stay.
 */
export function withGeneratedBlock(text: string, name: string, block: string): string {
  const lines = text.split('\n');
  const begin = onlyLineWith(lines, `Begin generated: ${name} (npm run generate)`);
  const end = onlyLineWith(lines, `End generated: ${name}`);
  if (end <= begin) throw new Error(`The generated block "${name}" ends before it begins.`);
  return [...lines.slice(0, begin + 1), block.replace(/\n$/, ''), ...lines.slice(end)].join('\n');
}

function onlyLineWith(lines: readonly string[], mark: string): number {
  // As a whole comment: no block's name may be the beginning of another's.
  const found = lines.flatMap((line, index) => (textOfComment(line) === mark ? [index] : []));
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new Error(`There are ${found.length} lines "${mark}", not one.`);
  }
  return only;
}

function textOfComment(line: string): string {
  const text = line.trim().replace(/^(?:#|<!--)/, '');
  return text.replace('-->', '').trim();
}
