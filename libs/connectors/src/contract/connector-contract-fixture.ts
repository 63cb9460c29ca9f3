import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RevealedCard } from '@sluice/contracts';
import { type ShiftingProxy, startShiftingProxy } from '@sluice/testing';
import type { Connector, ConnectorRequest, SubmitOptions } from './connector.js';

/** A connector, and a real acquirer, or its test system, for it to talk to. */
export interface ContractSubject {
  readonly acquirerUrl: () => string;
  /** A connector to whatever listens there. */
  connectorTo(url: string, connectionsMax: number): Connector;
  /** A request under a reference of its own that is approved at once. */
  approved(): ConnectorRequest;
  /** One that the acquirer does not take, in its own format. */
  refused(): ConnectorRequest;
  readonly card: RevealedCard;
  /** How often a reference is booked. */
  bookings(acquirerReference: string): Promise<number>;
}

const TIMEOUT_MS = 10_000;
const WINDOW_MS = 100;
const CONNECTIONS_MAX = 4;
/** Enough for every connection to be used again and again. */
const REQUESTS = 60;

/**
 * What every connector keeps, whatever its acquirer speaks: no answer counts for another request, and
 * nothing leaves after its time. Its spec is `<acquirer>-contract.int.spec.ts`.
 */
export function describeConnectorContract(name: string, subject: ContractSubject): void {
  const { card } = subject;
  let proxy: ShiftingProxy;
  let connector: Connector;

  beforeEach(async () => {
    proxy = await startShiftingProxy(subject.acquirerUrl());
    connector = subject.connectorTo(proxy.url, CONNECTIONS_MAX);
  });

  afterEach(async () => {
    await connector.close();
    await proxy.close();
  });

  const submit = (request: ConnectorRequest, options: Partial<SubmitOptions> = {}) =>
    connector.submit(request, card, { ...inTime(), ...options });
  const inquire = (reference: string) => connector.inquire(reference, inTime());

  /** Asks whatever can be asked about a booked transaction, and about a new one. */
  async function whateverIsAsked() {
    const booked = subject.approved();
    proxy.mode = 'forward';
    await submit(booked);
    const { acquirerReference } = booked;
    return {
      inquire: () => inquire(acquirerReference),
      reverse: () => connector.reverse(acquirerReference, inTime()),
      submit: () => submit(subject.approved()),
    };
  }

  describe(`the answer to another request (${name})`, () => {
    it.each([
      ['a "not found"', () => inquire(subject.approved().acquirerReference)],
      ['an approval', () => submit(subject.approved())],
      ['a refusal', () => submit(subject.refused())],
    ])('%s is no answer', async (_name, other) => {
      const ask = await whateverIsAsked();
      await other();
      proxy.mode = 'replay';
      expect(await ask.inquire()).toEqual({ kind: 'unavailable' });
      expect(await ask.reverse()).toEqual({ kind: 'unavailable' });
      expect(await ask.submit()).toMatchObject({ kind: 'unknown' });
    });

    it('that comes late shifts nothing: every outcome is the acquirer’s own', async () => {
      const requests = Array.from({ length: REQUESTS }, () => subject.approved());
      await submit(subject.approved());
      proxy.mode = 'repeat';
      let unknown = 0;
      for (let index = 0; index < REQUESTS; index += CONNECTIONS_MAX) {
        await Promise.all(
          requests.slice(index, index + CONNECTIONS_MAX).map(async (request) => {
            const outcome = await submit(request);
            const found = await connector.inquire(request.acquirerReference, inTime());
            if (outcome.kind === 'unknown') unknown += 1;
            else expect(found).toMatchObject({ kind: 'found', outcome });
          }),
        );
      }
      expect(proxy.isShifted).toBe(true);
      // One got the foreign answer, and its connection was given up before it could do more harm.
      expect(unknown).toBeLessThanOrEqual(1);
    });
  });

  describe(`a submission whose time to begin is over (${name})`, () => {
    it('is not performed, and nothing of it leaves', async () => {
      const beginByMs = performance.now() - 1;
      const outcome = await submit(subject.approved(), { beginByMs });
      expect(outcome).toEqual({ kind: 'notPerformed', reason: 'sendWindowOver' });
      expect(proxy.requests).toEqual([]);
    });

    it('is not performed although it waits for a connection that becomes free', async () => {
      await connector.close();
      connector = subject.connectorTo(proxy.url, 1);
      proxy.mode = 'hold';
      const arrived = proxy.nextRequest();
      const first = submit(subject.approved(), { timeoutMs: 3 * WINDOW_MS });
      await arrived;
      const late = subject.approved();
      const outcome = submit(late, { beginByMs: performance.now() + WINDOW_MS });
      expect(await outcome).toEqual({ kind: 'notPerformed', reason: 'sendWindowOver' });
      expect(await first).toMatchObject({ kind: 'unknown' });
      proxy.mode = 'forward';
      expect(await submit(subject.approved())).toMatchObject({ kind: 'approved' });
      expect(await subject.bookings(late.acquirerReference)).toBe(0);
      expect(proxy.requests).toHaveLength(2);
    });
  });
}

/** Begun in time, for the whole of it. */
function inTime(): SubmitOptions {
  return { timeoutMs: TIMEOUT_MS, beginByMs: performance.now() + TIMEOUT_MS };
}
