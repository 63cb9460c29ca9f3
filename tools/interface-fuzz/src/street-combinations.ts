import type { Combination } from './combination.js';

/** What the lines and the house numbers of an address must not be (2.10, 2.11). */
export function streets(): Combination[] {
  const street = (
    rule: string,
    lines: Readonly<Record<string, string>>,
    ...refused: readonly string[]
  ): Combination => ({
    rule: `a street is not digits only: ${rule}`,
    kind: 'payment',
    more: Object.entries(lines),
    refused,
  });
  const ofAddress = (address: string): Combination[] => {
    const [first, second] = [`${address}.street1`, `${address}.street2`];
    const [house, more] = [`${address}.houseNumber1`, `${address}.houseNumber2`];
    return [
      street('one line', { [first]: '17' }, first),
      street('digits of another script', { [first]: '١٢' }, first),
      street('two lines', { [first]: '17', [second]: '4 5' }, first),
      street('the second alone', { [second]: '17' }, second),
      street('letters in the second', { [first]: '17', [second]: 'Long' }),
      street('letters in the first', { [first]: 'Long', [second]: '17' }),
      street(
        'the second is ignored beside a house number',
        { [first]: '17', [second]: 'Long', [house]: '4' },
        first,
      ),
      street('a house number of its own', { [more]: '4' }, house),
    ];
  };
  return [
    ...ofAddress('billing'),
    ...ofAddress('merchant.billing'),
    ...['shipping', 'merchant.shipping'].flatMap((address) => [
      street('not where goods go', { [`${address}.street1`]: '17' }),
      street(
        'a house number of its own',
        { [`${address}.houseNumber2`]: '4' },
        `${address}.houseNumber1`,
      ),
    ]),
  ];
}
