import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CITATION = /\b(?:D-[0-9]{2}|[RS]-[A-Z]{2,4}-[0-9]{2})\b/g;
/** Where each kind of number is explained. */
const PAGES = ['docs/decisions/register.md', 'docs/explanation/requirements.md'];

/** Numbers that stand in the text, and those within a range such as `D-14 to D-23`. */
function numbersIn(text: string): Set<string> {
  const numbers = new Set(text.match(CITATION) ?? []);
  for (const [, from = '', to = ''] of text.matchAll(/\bD-([0-9]{2}) to D-([0-9]{2})\b/g)) {
    for (let number = Number(from); number <= Number(to); number += 1) {
      numbers.add(`D-${String(number).padStart(2, '0')}`);
    }
  }
  return numbers;
}

function unexplained(sources: readonly string[], pages: readonly string[]): string[] {
  const explained = numbersIn(pages.join('\n'));
  const cited = new Set(sources.flatMap((source) => source.match(CITATION) ?? []));
  return [...cited].filter((number) => !explained.has(number)).sort();
}

describe('numbers that code and documents cite', () => {
  it('are explained in the documents', () => {
    const files = execFileSync('git', ['ls-files', '--', '*.ts', '*.mjs', '*.md'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
    const sources = files
      .trim()
      .split('\n')
      .filter((path) => !PAGES.includes(path))
      .map(read);
    expect(sources.length).toBeGreaterThan(100);
    expect(unexplained(sources, PAGES.map(read))).toEqual([]);
  });

  it('are missed when a page lacks one', () => {
    // Put together, or this very file would cite a number that nobody explains.
    const planted = ['D', '77'].join('-');
    expect(unexplained([`as ${planted} says, and D-15`], ['D-14 to D-16'])).toEqual([planted]);
  });
});
