import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHash, randomBytes } from 'node:crypto';
import { buildMessage } from './build-message.js';
import { checkMessage } from './check-message.js';
import { decodeMessage, encodeMessage } from './encoded-message.js';
import {
  deviceChannels,
  type Message,
  messageCategories,
  messageTypes,
  messageVersions,
} from './message-kinds.js';
import { type Drawn, messageFrom, requiredOf } from './messages-fixture.js';
import { parseMessage } from './parse-message.js';

const RUNS = 3_000;
const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
/** Any text is a seed, as in the other tests that draw; fast-check takes 32 bits. */
const SEED_NUMBER = createHash('sha256').update(SEED).digest().readInt32BE();
const ELEMENTS_MAX = 150;

const kind: fc.Arbitrary<Drawn> = fc
  .record({
    type: fc.constantFrom(...messageTypes),
    version: fc.constantFrom(...messageVersions),
    channel: fc.constantFrom(...deviceChannels),
    category: fc.constantFrom(...messageCategories),
  })
  // The one rule between channel and category (status-rules.ts).
  .filter(({ version, channel, category }) =>
    version === '2.1.0' && channel === '03' ? category === '02' : true,
  );
const choices = fc.array(fc.option(fc.nat(1_000), { nil: undefined }), {
  ...{ minLength: ELEMENTS_MAX, maxLength: ELEMENTS_MAX },
});
/** Rules between elements are tried one by one elsewhere. */
const keepsRules = (message: Message, { channel }: Drawn): boolean =>
  !(message['acsDecConInd'] === 'N' && message['transStatus'] === 'D') &&
  !(channel === '03' && ['C', 'S'].includes(String(message['transStatus'])));
const made = fc
  .tuple(kind, choices)
  .map(([drawn, chosen]) => ({ drawn, message: messageFrom(drawn, (index) => chosen[index]) }))
  .filter(({ drawn, message }) => drawn.type !== 'ARes' || keepsRules(message, drawn));

describe(`any message that the tables allow (TEST_SEED=${SEED} repeats them)`, () => {
  it('is built, and passes its own check after each way it can travel', () => {
    const check = ({ drawn, message }: { drawn: Drawn; message: Message }) => {
      const { type, version, channel, category } = drawn;
      const built = buildMessage(type, version, message, { channel, category });
      expect(built).toEqual(message);
      const expected = { type, version, channel, category };
      expect(checkMessage(built, expected)).toEqual({ message: built });
      expect(parseMessage(JSON.stringify(built))).toEqual({ value: built });
      expect(decodeMessage(encodeMessage(built))).toEqual({ value: built });
    };
    fc.assert(fc.property(made, check), { numRuns: RUNS, seed: SEED_NUMBER });
  }, 60_000);

  it('without any one of its required elements is refused with 201, which names that element', () => {
    let removed = 0;
    const check = ({ drawn, message }: { drawn: Drawn; message: Message }, drawnIndex: number) => {
      const { type, version, channel, category } = drawn;
      const required = requiredOf(message, drawn).filter(
        ({ name }) => !['messageType', 'messageVersion'].includes(name),
      );
      const { name } = required[drawnIndex % required.length]!;
      const { [name]: _, ...rest } = message;
      const isLastSeen = ['deviceChannel', 'messageCategory'].includes(name);
      const known = isLastSeen ? {} : { channel, category };
      const checked = checkMessage(rest, { type, version, ...known });
      expect(checked).toMatchObject({ erro: { errorCode: '201' } });
      const detail = 'erro' in checked ? checked.erro.errorDetail.split(',') : [];
      expect(detail).toContain(name);
      if (!isLastSeen) expect(detail).toEqual([name]);
      removed += 1;
    };
    fc.assert(fc.property(made, fc.nat(), check), { numRuns: RUNS, seed: SEED_NUMBER });
    expect(removed).toBe(RUNS);
  }, 60_000);

  it('is answered, and nothing is thrown, whatever JSON it is', () => {
    const near = fc.dictionary(
      fc.constantFrom('messageType', 'messageVersion', 'transStatus', '__proto__', 'cardRangeData'),
      fc.oneof(fc.jsonValue(), fc.constantFrom('ARes', 'PRes', '2.2.0', '2.3.1', '\ud800')),
    );
    const check = (value: unknown) => {
      for (const type of messageTypes) {
        const checked = checkMessage(value, { type });
        expect(Object.keys(checked)).toHaveLength(1);
        const text = JSON.stringify(value);
        expect(Object.keys(parseMessage(text))).toHaveLength(1);
      }
    };
    fc.assert(fc.property(fc.oneof(fc.jsonValue(), near), check), {
      ...{ numRuns: RUNS, seed: SEED_NUMBER },
    });
  }, 60_000);
});
