import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answerOf } from './authentication.js';
import { type AuthenticationCommand, authenticationDecider } from './authentication-decider.js';
import { begin, ids, NOW_MS, OTHER_ID, response, result } from './authentication-fixture.js';
import type { AuthenticationEvent } from './authentication-events.js';

const status = fc.constantFrom('Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I');
const id = (own: string) =>
  fc.oneof({ arbitrary: fc.constant(own), weight: 4 }, fc.constant(OTHER_ID));
const serverTransactionId = id(ids.serverTransactionId);
const acsTransactionId = id(ids.acsTransactionId);
const dsTransactionId = id(ids.dsTransactionId);
const nowMs = fc.integer({ min: 0, max: 30 * 60_000 }).map((ms) => NOW_MS + ms);
const told = { serverTransactionId, acsTransactionId, dsTransactionId, nowMs };

/** Whatever a network, an issuer, a browser or a clock may do, in any order and as often as it likes. */
const anything: fc.Arbitrary<AuthenticationCommand> = fc.oneof(
  fc.constant(begin({ decoupledMs: 60_000 })),
  fc.record({ ...told, status }).map((fields) => response(fields as object)),
  fc.record({ ...told, status }).map((fields) => result(fields as object)),
  fc
    .record({ serverTransactionId, nowMs })
    .map((fields) => ({ type: 'RecordMethodDone', ...fields }) as const),
  fc
    .record(told)
    .map(({ dsTransactionId: _, ...fields }) => ({ type: 'RecordReturn', ...fields }) as const),
  fc.record(told).map((fields) => ({ type: 'RefuseResult', ...fields }) as const),
  fc
    .record({ serverTransactionId, nowMs })
    .map((fields) => ({ type: 'RecordFailure', failure: 'cancelled', ...fields }) as const),
  nowMs.map((at) => ({ type: 'EndAuthentication', nowMs: at }) as const),
  nowMs.map(
    (at) =>
      ({
        ...({ type: 'SendRequest', nowMs: at, answerWithinMs: 15_000 } as const),
        nextServerTransactionId: OTHER_ID,
      }) as const,
  ),
);

it('nobody is authenticated without an authentic word of the issuer, nor twice', () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 25 }), (commands) => {
      let state = authenticationDecider.initialState;
      const events: AuthenticationEvent[] = [];
      for (const command of commands) {
        const next = authenticationDecider.decide(command, state);
        if (command.type === 'RecordResult' && next.length > 0) {
          // Another transaction's result is nobody's.
          expect(state?.serverTransactionId).toBe(command.serverTransactionId);
          expect(state?.response?.dsTransactionId).toBe(command.dsTransactionId);
          expect(state?.response?.acsTransactionId).toBe(command.acsTransactionId);
        }
        events.push(...next);
        state = next.reduce(authenticationDecider.evolve, state);
      }
      const ends = events.filter((event) => event.type === 'AuthenticationEnded');
      expect(ends.length).toBeLessThanOrEqual(1);
      expect(events.filter(({ type }) => type === 'ResponseReceived').length).toBeLessThan(2);
      const answer = answerOf(state);
      if (answer.kind !== 'completed' || !answer.result.goesOn) return;
      const { status: final, flow } = answer.result;
      const ares = events.find((event) => event.type === 'ResponseReceived');
      const rreq = events.find((event) => event.type === 'ResultReceived');
      // What was asked for under the id that the answer has.
      const sent = events.filter((event) => event.type === 'RequestSent').at(-1);
      expect(ares?.data.serverTransactionId).toBe(sent?.data.serverTransactionId);
      expect(flow === 'frictionless' ? ares?.data.status : rreq?.data.status).toBe(final);
      expect(flow === 'frictionless' || ['C', 'D'].includes(ares?.data.status ?? '')).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
