import { accountLines, accountNotes } from './account-lines.js';
import { Accounted, LOOKS_AT_REST, type WarmUp } from './accounted.js';
import type { Profile } from './installation-under-test.js';

/*
 * `npm run bench -- --account`: what a payment costs, by process and by subsystem, and what it takes
 * of statements, commits, requests and switches; the same for an installation at rest.
 */

/** What is accounted for. */
export interface AccountWish {
  readonly profiles: readonly Profile[];
  readonly rates: readonly number[];
  /** Of each run; each rate has two of them. */
  readonly seconds: number;
  /** Where the CPU profiles are written that the split by subsystem comes from. */
  readonly profileDirectory: string | undefined;
  /** Of payments, in a cluster. */
  readonly cells?: number | undefined;
}

/** Accounts for each profile; what there is to say is said as it comes. */
export async function account(
  wish: AccountWish,
  warmUp: Readonly<Record<Profile, WarmUp>>,
  say: (line: string) => void,
): Promise<void> {
  for (const profile of wish.profiles) {
    say(`${profile}: start, and ${warmUp[profile].seconds} s of warm-up …`);
    const accounted = await Accounted.start({ profile, cells: wish.cells });
    try {
      await accounted.warmUp(warmUp[profile]);
      for (const line of await linesOf(accounted, profile, wish, say)) say(line);
    } finally {
      await accounted.stop();
    }
  }
  for (const line of accountNotes) say(line);
}

/** The profiler comes last: what it makes V8 forget would cost the runs behind it. */
async function linesOf(
  accounted: Accounted,
  profile: Profile,
  { rates, seconds, profileDirectory }: AccountWish,
  say: (line: string) => void,
): Promise<readonly string[]> {
  say(`${profile}: at rest for ${LOOKS_AT_REST} times ${seconds} s …`);
  const atRest = await accounted.rest(seconds);
  const accounts = [atRest];
  for (const rate of rates) {
    say(`${profile}: ${rate}/s for ${seconds} s …`);
    accounts.push(await accounted.pay(rate, seconds, atRest));
  }
  const lines: string[] = [];
  for (const each of accounts) {
    say(`${profile}: the same under the profiler, ${each.rate}/s …`);
    const profiles = await accounted.profiled(each.rate, seconds, profileDirectory);
    lines.push(...accountLines(profile, { ...each, profiles }, accounted.hasStatements));
  }
  return lines;
}
