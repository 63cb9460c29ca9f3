import { describe, expect, it } from '@jest/globals';
import { rendered } from './answer.js';
import { textTable } from './text-table.js';

interface Row {
  readonly name: string;
  readonly count: string;
}

describe('a table', () => {
  const columns = [
    { title: 'NAME', cell: ({ name }: Row) => name },
    { title: 'COUNT', cell: ({ count }: Row) => count, alignRight: true },
  ] as const;

  it('has columns as wide as their widest cell, numbers to the right', () => {
    const rows = [
      { name: 'a', count: '1' },
      { name: 'longer', count: '1000' },
    ];
    expect(textTable(rows, columns, 'none')).toBe(
      ['NAME    COUNT', 'a           1', 'longer   1000'].join('\n'),
    );
  });

  it('is a sentence when there is nothing', () => {
    expect(textTable([], columns, 'There is none.')).toBe('There is none.');
  });

  it('lets no stored text speak to the terminal', () => {
    const text = textTable([{ name: 'a\u001b[2J\nb', count: '' }], columns, '');
    expect(text.split('\n')[1]).toBe('a?[2J?b');
  });
});

describe('an answer as JSON', () => {
  it('is one document, with 64-bit numbers as texts', () => {
    const text = rendered({ data: { offset: 9_007_199_254_740_993n }, text: 'x' }, true);
    expect(JSON.parse(text)).toEqual({ offset: '9007199254740993' });
    expect(rendered({ data: {}, text: 'x' }, false)).toBe('x\n');
  });
});
