// How a defect of tools/sabotage-variants.mjs gets into a file's text.

/**
 * The text with the defect. Whatever a variant names must stand there exactly once, or nobody knows
 * what has been planted.
 * @param {Pick<import('./sabotage-variants.mjs').Variant, 'name' | 'file' | 'within' | 'edits'>} variant
 * @param {string} text the file's
 * @returns {string}
 */
export function planted({ name, file, within, edits }, text) {
  const [start, end] = within === undefined ? [0, text.length] : functionAt(within);
  let body = text.slice(start, end);
  for (const { from, to } of edits) {
    if (body.split(from).length !== 2) throw notOnce(from);
    body = body.replace(from, () => to);
  }
  return text.slice(0, start) + body + text.slice(end);

  /**
   * From the line that begins so to the brace that closes it: Prettier puts it under its beginning.
   * @param {string} beginning
   */
  function functionAt(beginning) {
    const lines = text.split('\n');
    const isBeginning = (/** @type {string} */ line) => line.trimStart().startsWith(beginning);
    const first = lines.findIndex(isBeginning);
    if (first < 0 || lines.filter(isBeginning).length > 1) throw notOnce(beginning);
    const indentation = /^ */u.exec(lines[first] ?? '')?.[0] ?? '';
    const last = lines.findIndex((line, index) => index > first && line === `${indentation}}`);
    if (last < 0) throw new Error(`${name}: in ${file} nothing closes "${beginning}".`);
    const offset = (/** @type {number} */ count) =>
      lines.slice(0, count).reduce((sum, line) => sum + line.length + 1, 0);
    return /** @type {const} */ ([offset(first), offset(last)]);
  }

  /** @param {string} what */
  function notOnce(what) {
    const place = within === undefined ? file : `${file}, in "${within}"`;
    return new Error(`${name}: ${place} does not hold this exactly once: ${what}`);
  }
}
