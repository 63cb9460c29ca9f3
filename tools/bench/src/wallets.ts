import {
  applePayRecipient,
  googlePayRecipient,
  openApplePayToken,
  openGooglePayToken,
  openSamsungPayToken,
  samsungPayRecipient,
  type WalletOpening,
} from '@sluice/wallets';
import { readFileSync } from 'node:fs';
import { rounded, timesOf } from './timed-work.js';

/*
 * `npm run bench -- --wallets`: what it costs to open the token of a wallet, in one process, with the
 * vectors of libs/wallets: signatures, chains and ciphers, and nothing of the vault around them.
 */

/** Whoever pays with a wallet has waited for a finger: two milliseconds more are not felt. */
const BAR_US = 2_000;
/** So many make one run. */
const REPEATED = 20;

/** A token that is opened, by what is special about it. */
interface Opened {
  readonly name: string;
  readonly open: () => WalletOpening;
}

/** The table of a run, line by line as they come. */
export function* walletLines(): Generator<string> {
  yield '\n| open a token | best µs | median µs | CPU µs | wanted | got |';
  yield '| --- | --- | --- | --- | --- | --- |';
  for (const { name, open } of [...appleTokens(), ...googleTokens(), ...samsungTokens()]) {
    if (open().kind !== 'opened') throw new Error(`"${name}" is refused: its time says nothing.`);
    const { best, median, cpu } = timesOf(open, REPEATED);
    const got = cpu <= BAR_US ? 'met' : '**missed**';
    yield `| ${name} | ${[best, median, cpu].map(rounded).join(' | ')} | ≤ 2 ms | ${got} |`;
  }
}

interface Vectors {
  readonly now: string;
  readonly opened: Readonly<Record<string, string>>;
}

function vectors<More>(name: string): Vectors & More {
  const file = new URL(`../../../libs/wallets/test/vectors/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Vectors & More;
}

function tokensOf(
  wallet: string,
  { now, opened }: Vectors,
  open: (token: string, now: Date) => WalletOpening,
): Opened[] {
  return Object.entries(opened).map(([name, token]) => {
    return { name: `${wallet}: ${name}`, open: () => open(token, new Date(now)) };
  });
}

function appleTokens(): Opened[] {
  const read = vectors<Parameters<typeof applePayRecipient>[0] & { root: string }>('apple-pay');
  const recipient = applePayRecipient({ merchants: read.merchants, roots: [read.root] });
  return tokensOf('Apple Pay', read, (token, now) => openApplePayToken(token, recipient, now));
}

function googleTokens(): Opened[] {
  const read = vectors<Parameters<typeof googlePayRecipient>[0]>('google-pay');
  const recipient = googlePayRecipient(read);
  return tokensOf('Google Pay', read, (token, now) => openGooglePayToken(token, recipient, now));
}

function samsungTokens(): Opened[] {
  const read = vectors<Parameters<typeof samsungPayRecipient>[0]>('samsung-pay');
  const recipient = samsungPayRecipient(read);
  return tokensOf('Samsung Pay', read, (token, now) => openSamsungPayToken(token, recipient, now));
}
