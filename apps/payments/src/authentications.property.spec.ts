import { afterAll, describe, expect, it } from '@jest/globals';
import { invariantViolations } from '@sluice/domain-payments';
import fc from 'fast-check';
import { createHash, randomBytes } from 'node:crypto';
import {
  AuthenticationsModel,
  type Beginning,
  type Circumstances,
  type Decision,
} from '../test/authentications-model.js';

const RUNS = 1_500;
const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
/** Any text is a seed, as in the other tests that draw; fast-check takes 32 bits. */
const SEED_NUMBER = createHash('sha256').update(SEED).digest().readInt32BE();

const process_ = fc.nat(1);
/** One thing that happens. */
const happening = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('command' as const), process: process_ }) },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: fc.constant('shopper' as const), process: process_ },
      step: fc.constantFrom('arrived' as const, 'returned' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('recover' as const), process: process_ }) },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: fc.constant('issuer' as const), which: fc.nat(1) },
      word: fc.constantFrom('yes' as const, 'yes' as const, 'no' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('away' as const), isAway: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), process: process_ }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('time' as const),
      passesMs: fc.constantFrom(500, 5_000, 61_000, 16 * 60_000),
    }),
  },
);
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;
/** How many of what waits go on afterwards, each drawn among all. */
const step = fc.tuple(happening, fc.array(fc.nat(999), { maxLength: 4 }));

/** Often, because a second authentication follows nothing else. */
const SOFT: readonly Decision[] = ['soft', 'soft', 'soft', 'soft'];
const circumstances: fc.Arbitrary<Circumstances> = fc.record({
  isDemanded: fc.boolean(),
  beginnings: fc.array(fc.constantFrom<Beginning[]>('yes', 'yes', 'no', 'redirect', 'waiting'), {
    ...{ minLength: 2, maxLength: 2 },
  }),
  decisions: fc.array(
    fc.constantFrom<Decision[]>(...SOFT, 'approve', 'decline', 'bookAndLose', 'lose'),
    { minLength: 2, maxLength: 3 },
  ),
});

function happens(model: AuthenticationsModel, happened: Happening): void {
  switch (happened.kind) {
    case 'command':
      return model.command(happened.process);
    case 'shopper':
      return model.shopper(happened.process, happened.step);
    case 'recover':
      return model.recover(happened.process);
    case 'issuer':
      return model.issuer(happened.which, happened.word);
    case 'away':
      model.isAway = happened.isAway;
      return;
    case 'crash':
      return model.crash(happened.process);
    case 'time':
      model.nowMs += happened.passesMs;
  }
}

/** How often it came to what is worth a property. */
const seen = { second: 0, atOnce: 0, approved: 0, declined: 0, notPerformed: 0 };

function note({ submitted, status, wentOnAtOnce }: AuthenticationsModel): void {
  if (submitted.length === 2) seen.second += 1;
  if (wentOnAtOnce) seen.atOnce += 1;
  if (status === 'approved') seen.approved += 1;
  if (status === 'declined') seen.declined += 1;
  if (status === 'notPerformed') seen.notPerformed += 1;
}

/** Found once: a slow answer about the first attempt, while the second one was under way. */
const SLOW_INQUIRY = [
  { isDemanded: false, beginnings: ['yes', 'yes'], decisions: ['soft', 'bookAndLose'] },
  [
    [{ kind: 'shopper', process: 0, step: 'arrived' }, [0, 0, 0]],
    [{ kind: 'recover', process: 0 }, [0, 0]],
    [{ kind: 'away', isAway: false }, [0]],
    [{ kind: 'time', passesMs: 61_000 }, []],
    [{ kind: 'shopper', process: 0, step: 'arrived' }, [0]],
    [{ kind: 'recover', process: 0 }, [0]],
    [{ kind: 'shopper', process: 0, step: 'arrived' }, [91]],
  ],
] as const;

/** After these nobody is asked any more. */
const AFTER_AN_END =
  /Transaction(?:Approved|Declined|Rejected|NotPerformed).*AuthorizationRequested/;

describe('a payment whose shopper is authenticated, perhaps twice', () => {
  afterAll(() => {
    const counts = Object.values(seen);
    if (counts.some((count) => count === 0)) throw new Error(`never seen: ${JSON.stringify(seen)}`);
  });

  it(`is never authorized twice, nor without what was demanded, whatever happens when (seed ${SEED})`, async () => {
    const property = fc.asyncProperty(
      ...([circumstances, fc.array(step, { minLength: 1, maxLength: 40 })] as const),
      async (of, steps) => {
        const model = new AuthenticationsModel(of);
        model.command(0);
        for (const [happened, choices] of steps) {
          happens(model, happened);
          for (const choice of choices) await model.letGo(choice);
        }
        while (await model.letGo(0));
        await model.settle();
        model.end();
        expect(model.violations).toEqual([]);
        if (model.eventTypes.length === 0) return;
        note(model);
        expect(invariantViolations(model.state)).toEqual([]);
        expect(model.eventTypes.join(' ')).not.toMatch(AFTER_AN_END);
        // Money is where merchants are told that it is, and nobody waits for ever.
        expect({ status: model.status, effects: model.effects }).toEqual(
          model.status === 'approved'
            ? { status: 'approved', effects: 1 }
            : {
                status: expect.stringMatching(/^(rejected|declined|notPerformed|reversed)/),
                effects: 0,
              },
        );
      },
    );
    const examples = [SLOW_INQUIRY] as never;
    await fc.assert(property, { numRuns: RUNS, seed: SEED_NUMBER, examples });
  }, 120_000);
});
