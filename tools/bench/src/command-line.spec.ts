import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
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

  it('measures registrations, also where there are many of them', () => {
    expect(readCommandLine(['--registrations', '--rates', '60'])).toMatchObject({
      wish: { kind: 'registrations', registrations: { rates: [60], registrations: 1_000 } },
    });
    expect(readCommandLine(['--registrations', '--stored', '1000000'])).toMatchObject({
      wish: { kind: 'registrationsGrowth', growth: { stored: 1_000_000, rates: [300], pairs: 7 } },
    });
    expect(readCommandLine(['--stored', '1000000'])).toMatchObject({ kind: 'refused' });
  });

  it('measures what rules and 3-D Secure add to a payment', () => {
    const offered = { rates: [60], seconds: 15, rounds: 3 };
    for (const [flag, kind] of [
      ['--risk', 'risk'],
      ['--three-d-secure', 'threeDSecure'],
    ] as const) {
      const words = [flag, '--rates', '60', '--pairs', '3'];
      expect(readCommandLine(words)).toEqual({ kind: 'wish', wish: { kind, [kind]: offered } });
      expect(readCommandLine([flag, '--picture', 'x.svg'])).toMatchObject({
        ...{ kind: 'refused', reason: `--picture does nothing with ${flag}. See --help.` },
      });
    }
    expect(readCommandLine(['--three-d-secure', '--risk'])).toMatchObject({ kind: 'refused' });
  });

  it('measures schedules, in the sandbox or in a cluster, among others that are not due', () => {
    expect(readCommandLine(['--schedules'])).toEqual({
      ...{
        kind: 'wish',
        wish: { kind: 'schedules', schedules: { runIn: 'sandbox', stored: 0 } },
      },
    });
    expect(readCommandLine(['--schedules', '--stored', '1000000', '--cluster-only'])).toMatchObject(
      { wish: { schedules: { runIn: 'cluster', stored: 1_000_000 } } },
    );
    expect(readCommandLine(['--schedules', '--rates', '60'])).toMatchObject({ kind: 'refused' });
  });

  it('measures notifications, and their lag at one rate', () => {
    expect(readCommandLine(['--webhooks'])).toMatchObject({
      wish: { kind: 'webhooks', webhooks: { rate: 300, seconds: 15 } },
    });
    expect(readCommandLine(['--webhooks', '--rates', '30'])).toMatchObject({
      wish: { webhooks: { rate: 30 } },
    });
    for (const words of [['--rates', '30,300'], ['--pairs', '3'], ['--schedules']]) {
      expect(readCommandLine(['--webhooks', ...words])).toMatchObject({ kind: 'refused' });
    }
  });

  it('measures one thing at a time', () => {
    expect(readCommandLine(['--parameters'])).toEqual({
      kind: 'wish',
      wish: { kind: 'parameters' },
    });
    expect(readCommandLine(['--wallets'])).toMatchObject({ wish: { kind: 'wallets' } });
    expect(readCommandLine(['--iso8583'])).toMatchObject({ wish: { kind: 'iso8583' } });
    expect(readCommandLine(['--form'])).toMatchObject({ wish: { kind: 'form' } });
    expect(readCommandLine(['--form', '--rates', '60'])).toMatchObject({ kind: 'refused' });
    expect(readCommandLine(['--iso8583', '--wallets'])).toMatchObject({ kind: 'refused' });
    expect(readCommandLine(['--watching', '--pairs', '3'])).toMatchObject({
      wish: { kind: 'watching', watching: { rates: [300], pairs: 3 } },
    });
  });

  it('accounts for a payment, alone and against another commit', () => {
    expect(readCommandLine(['--account', '--cluster'])).toMatchObject({
      wish: {
        kind: 'account',
        account: { rates: [300], seconds: 15, profiles: ['sandbox', 'cluster'] },
      },
    });
    expect(readCommandLine(['--account', '--against', 'v1.2.3', '--pairs', '3'])).toMatchObject({
      wish: { kind: 'against', against: { commit: 'v1.2.3', pairs: 3, isTogether: false } },
    });
    expect(readCommandLine(['--account', '--against', 'HEAD', '--together'])).toMatchObject({
      wish: { against: { isTogether: true, profiles: ['sandbox'], profileDirectory: undefined } },
    });
    expect(readCommandLine(['--account', '--against', 'HEAD', '--profile', 'x'])).toMatchObject({
      wish: { against: { profileDirectory: resolve('x') } },
    });
    expect(readCommandLine(['--cost'])).toEqual({
      kind: 'wish',
      wish: { kind: 'cost', commit: undefined },
    });
  });

  it('compares rebuilds and reads with those of another commit', () => {
    expect(readCommandLine(['--rebuild', '--against', 'HEAD', '--pairs', '5'])).toEqual({
      kind: 'wish',
      wish: { kind: 'rebuildAgainst', rebuild: { commit: 'HEAD', pairs: 5 } },
    });
    expect(readCommandLine(['--reads', '--against', 'HEAD', '--together'])).toMatchObject({
      wish: { kind: 'readsAgainst', reads: { commit: 'HEAD', rates: [300], isTogether: true } },
    });
    expect(readCommandLine(['--reads', '--together'])).toMatchObject({ kind: 'refused' });
    expect(readCommandLine(['--rebuild', '--pairs', '5'])).toMatchObject({ kind: 'refused' });
  });

  it('lets a store grow, and measures reads', () => {
    expect(readCommandLine(['--grow'])).toEqual({
      kind: 'wish',
      wish: {
        kind: 'grow',
        grow: {
          payments: [10_000, 100_000, 1_000_000],
          rate: 150,
          seconds: 5,
          pairs: 7,
          isTogether: false,
          picture: undefined,
        },
      },
    });
    expect(
      readCommandLine([
        '--grow',
        '--payments',
        '20000,50000',
        '--rates',
        '100',
        '--picture',
        'x.svg',
      ]),
    ).toMatchObject({
      wish: { grow: { payments: [20_000, 50_000], rate: 100, picture: resolve('x.svg') } },
    });
    expect(readCommandLine(['--reads', '--pairs', '3'])).toEqual({
      kind: 'wish',
      wish: {
        kind: 'reads',
        reads: { rates: [300], seconds: 15, pairs: 3, profileDirectory: undefined },
      },
    });
    expect(readCommandLine(['--registrations', '--rates', '60'])).toEqual({
      kind: 'wish',
      wish: {
        kind: 'registrations',
        registrations: { rates: [60], seconds: 15, rounds: 7, registrations: 1_000 },
      },
    });
  });

  it.each([
    [['--grow', '--payments', '9999'], /Sizes are rising whole numbers from 10000/],
    [['--grow', '--payments', '20000,10000'], /Sizes are rising/],
    [['--grow', '--payments', '1e6'], /Sizes are rising/],
    [['--grow', '--rates', '100,200'], /--grow pays at one rate/],
    [['--grow', '--reads'], /cannot be used with/],
    [['--payments', '10000'], /--payments does nothing without --grow/],
    [['--reads', '--picture', 'x.svg'], /--picture does nothing with --reads/],
    [['--registrations', '--profile', 'x'], /--profile does nothing with --registrations/],
    [['--reads', '--cells', '2'], /--cells does nothing with --reads/],
    [['--account', '--pairs', '3'], /--pairs does nothing with --account\./],
    [['--against', 'HEAD'], /--against does nothing without .*--account --against or --cost/],
    [['--cost', '--seconds', '3'], /--seconds does nothing with --cost/],
    [['--cost', '--profile', 'x'], /--profile does nothing with --cost/],
    [['--rates', 'abc'], /Rates are whole numbers/],
    [['--rates', '100,,300'], /Rates are whole numbers/],
    [['--seconds', '0'], /from 1 to 3600/],
    [['--pairs', '3'], /--pairs does nothing without .*--watching/],
    [['--parameters', '--cluster'], /--cluster does nothing with --parameters/],
    [['--wallets', '--seconds', '3'], /--seconds does nothing with --wallets/],
    [['--rebuild', '--watching'], /cannot be used with/],
    [['--rate', '1'], /Did you mean --rates\?/],
    [['now'], /Too many arguments/],
  ])('refuses %j', (words, sentence) => {
    const read = readCommandLine(words);
    expect(read.kind === 'refused' ? read.reason : read).toMatch(sentence);
  });
});
