import { describe, expect, it } from '@jest/globals';
import type { MessageOf } from '../messages/typed-messages.js';
import {
  CardRangeIndex,
  changedRanges,
  type ParticipatingRange,
  rangeChanges,
  versionFor,
} from './card-range-index.js';

const range = (start: string, end: string, methodUrl?: string): ParticipatingRange => ({
  ...{ start, end, versions: ['2.2.0'] },
  ...(methodUrl !== undefined && { methodUrl }),
});

function indexOf(...ranges: readonly ParticipatingRange[]): CardRangeIndex {
  return new CardRangeIndex(
    changedRanges(
      [],
      ranges.map((one) => ({ action: 'put', range: one })),
    ),
  );
}

describe('the range of a card', () => {
  const wide = range('4200000000000000', '4299999999999999');
  const narrow = range('4200000000000000', '4200009999999999', 'https://issuer.example/method');
  const long = range('4200000000000000000', '4200000000999999999');
  const index = indexOf(wide, narrow, long, range('5200000000000007', '5200000000000007'));

  it.each([
    ['4200000000000000', narrow],
    ['4200009999999999', narrow],
    ['4200010000000000', wide],
    ['4299999999999999', wide],
    ['4200000000000000000', long],
    ['5200000000000007', range('5200000000000007', '5200000000000007')],
  ])('of %s is the narrowest one that has it', (number, expected) => {
    expect(index.find(number)).toEqual(expected);
  });

  it.each(['4199999999999999', '4300000000000000', '5200000000000008', '42000000000000', ''])(
    'of %s is none',
    (number) => expect(index.find(number)).toBeUndefined(),
  );

  it('is found among a hundred thousand', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => {
      const start = `4${String(at * 2).padStart(6, '0')}`;
      return range(`${start}000000000`, `${start}999999999`);
    });
    const large = indexOf(...many);
    expect(large.size).toBe(100_000);
    expect(large.find('4000002123456789')?.start).toBe('4000002000000000');
    expect(large.find('4000003123456789')).toBeUndefined();
  });
});

describe('what a directory server tells', () => {
  const before = {
    ...{ startRange: '4200000000000000', endRange: '4200000000000009' },
    ...{ acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.2.0' },
  };
  const pres = (...cardRangeData: readonly object[]) =>
    ({ cardRangeData }) as unknown as MessageOf<'PRes'>;

  it('adds, changes and takes away', () => {
    const added = changedRanges([], rangeChanges(pres({ ...before, actionInd: 'A' })));
    expect(added).toEqual([
      { start: '4200000000000000', end: '4200000000000009', versions: ['2.1.0', '2.2.0'] },
    ]);
    const modified = { ...before, actionInd: 'M', threeDSMethodURL: 'https://issuer.example' };
    const changed = changedRanges(added, rangeChanges(pres(modified)));
    expect(changed).toMatchObject([{ methodUrl: 'https://issuer.example' }]);
    expect(changedRanges(changed, rangeChanges(pres({ ...before, actionInd: 'D' })))).toEqual([]);
    expect(changedRanges(changed, rangeChanges(pres()))).toEqual(changed);
  });

  it('is the same since 2.3.1', () => {
    const since = {
      ranges: [{ start: '4200000000000000', end: '4200000000000009' }],
      acsProtocolVersions: [{ version: '2.2.0', threeDSMethodURL: 'https://issuer.example' }],
    };
    expect(changedRanges([], rangeChanges(pres(since)))).toEqual([
      range('4200000000000000', '4200000000000009', 'https://issuer.example'),
    ]);
  });
});

describe('the page of the 3DS method since 2.3.1', () => {
  const pageOf = (...acsProtocolVersions: readonly object[]) => {
    const ranges = [{ start: '4200000000000000', end: '4200000000000009' }];
    const told = { cardRangeData: [{ ranges, acsProtocolVersions }] };
    const [one] = changedRanges([], rangeChanges(told as unknown as MessageOf<'PRes'>));
    return one?.methodUrl;
  };
  const [first, second] = ['https://issuer.example/1', 'https://issuer.example/2'];
  const old = { version: '2.2.0', threeDSMethodURL: first };
  const newest = { version: '2.3.1', threeDSMethodURL: second };

  it('is that of the version that is spoken', () => {
    expect(pageOf(newest, old)).toBe(first);
    expect(pageOf(newest, { version: '2.1.0', threeDSMethodURL: first })).toBe(second);
  });

  it('is none where that version has none', () => {
    expect(pageOf(newest, { version: '2.2.0' })).toBeUndefined();
    expect(pageOf({ version: '9.9.9', threeDSMethodURL: first }, { version: '2.1.0' })).toBe(
      undefined,
    );
  });
});

describe('the version that is spoken', () => {
  it.each([
    [['2.1.0', '2.2.0', '2.3.1'], '2.2.0'],
    [['2.1.0'], '2.1.0'],
    [['2.1.0', '2.3.1'], '2.3.1'],
    [[], undefined],
  ] as const)('of %s is %s', (versions, expected) => {
    expect(versionFor({ ...range('4', '4'), versions })).toBe(expected);
  });

  it('is the one that is wished for, where it is spoken', () => {
    const speaking = (...versions: readonly ('2.2.0' | '2.3.1')[]) => ({
      ...{ ...range('4', '4'), versions },
    });
    expect(versionFor(speaking('2.2.0', '2.3.1'), '2.3.1')).toBe('2.3.1');
    expect(versionFor(speaking('2.2.0'), '2.3.1')).toBe('2.2.0');
  });
});
