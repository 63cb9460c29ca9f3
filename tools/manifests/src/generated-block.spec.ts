import { describe, expect, it } from '@jest/globals';
import { withGeneratedBlock } from './generated-block.js';

const file = [
  'kept: 1',
  '# Begin generated: names (npm run generate)',
  'old: 2',
  '# End generated: names',
  'kept: 3',
  '',
].join('\n');

describe('a generated block', () => {
  it('is replaced, and nothing else of the file is', () => {
    const text = withGeneratedBlock(file, 'names', 'new: 2\nand: 3\n');
    expect(text).toBe(file.replace('old: 2', 'new: 2\nand: 3'));
    expect(withGeneratedBlock(text, 'names', 'old: 2\n')).toBe(file);
  });

  it('may stand in a page as well', () => {
    const page = '<!-- Begin generated: a (npm run generate) -->\n\n<!-- End generated: a -->\n';
    expect(withGeneratedBlock(page, 'a', '\nx\n')).toBe(page.replace('-->\n\n', '-->\n\nx\n'));
  });

  it('is found by its whole name', () => {
    expect(() => withGeneratedBlock(file, 'name', '')).toThrow('0 lines "Begin generated: name (');
    expect(() => withGeneratedBlock(file + file, 'names', '')).toThrow('2 lines');
  });
});
