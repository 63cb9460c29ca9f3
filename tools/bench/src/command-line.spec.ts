import { describe, expect, it } from '@jest/globals';
import { readCommandLine } from './command-line.js';

describe('the command line', () => {
  it('climbs the usual ladder in the sandbox unless told', () => {
    expect(readCommandLine([])).toMatchObject({
      wish: { kind: 'ladder', ladder: { seconds: 15, profiles: ['sandbox'] } },
    });
    expect(readCommandLine(['--rates', '100,300', '--seconds', '5', '--cluster'])).toMatchObject({
      wish: { ladder: { rates: [100, 300], seconds: 5, profiles: ['sandbox', 'cluster'] } },
    });
  });

  it('measures one thing at a time', () => {
    expect(readCommandLine(['--parameters'])).toEqual({
      kind: 'wish',
      wish: { kind: 'parameters' },
    });
    expect(readCommandLine(['--watching', '--pairs', '3'])).toMatchObject({
      wish: { kind: 'watching', watching: { rates: [300], pairs: 3 } },
    });
  });

  it.each([
    [['--rates', 'abc'], /Rates are whole numbers/],
    [['--rates', '100,,300'], /Rates are whole numbers/],
    [['--seconds', '0'], /from 1 to 3600/],
    [['--pairs', '3'], /--pairs does nothing without --watching/],
    [['--parameters', '--cluster'], /--cluster does nothing with --parameters/],
    [['--rebuild', '--watching'], /cannot be used with/],
    [['--rate', '1'], /Did you mean --rates\?/],
    [['now'], /Too many arguments/],
  ])('refuses %j', (words, sentence) => {
    const read = readCommandLine(words);
    expect(read.kind === 'refused' ? read.reason : read).toMatch(sentence);
  });
});
