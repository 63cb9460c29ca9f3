import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SubmitOptions } from '../connector.js';
import type { Submission } from '../contract/contract-subject-fixture.js';
import type { Iso8583Connector } from './iso8583-connector.js';
import { connectorAt, debitTelling } from './iso8583-subject-fixture.js';
import type { Message } from './message-format.js';
import { answerTo, type ScriptedHost, startScriptedHost } from './scripted-host-fixture.js';

const TIMEOUT_MS = 2_000;
const SHORT_MS = 100;

let host: ScriptedHost;
let connector: Iso8583Connector;

beforeEach(async () => {
  host = await startScriptedHost();
  connector = connectorAt(host.port);
});

afterEach(async () => {
  await connector.close();
  await host.close();
});

function submit({ request, instrument }: Submission, options: Partial<SubmitOptions> = {}) {
  const beginByMs = performance.now() + TIMEOUT_MS;
  return connector.submit(request, instrument, { timeoutMs: TIMEOUT_MS, beginByMs, ...options });
}

function isNetwork({ type }: Message): boolean {
  return type === '0800';
}

/** Network management is answered, nothing else. */
function networkAlone(message: Message): readonly Message[] {
  return isNetwork(message) ? [answerTo(message)] : [];
}

describe('a connection', () => {
  it('begins with a sign-on, before anything else', async () => {
    await submit(debitTelling());
    expect(host.received).toMatchObject([
      { type: '0800', fields: { networkCode: '001' } },
      { type: '0200' },
    ]);
  });

  it('that the host does not let in carries nothing', async () => {
    host.answers = (message) => [answerTo(message, { responseCode: '05' })];
    const outcome = await submit(debitTelling());
    expect(outcome).toEqual({ kind: 'notPerformed', reason: 'notReachable' });
    expect(host.received.every(isNetwork)).toBe(true);
  });

  it('ends with a sign-off', async () => {
    await submit(debitTelling());
    await connector.close();
    await host.arrived('0800', 2);
    expect(host.received.at(-1)).toMatchObject({ fields: { networkCode: '002' } });
  });

  it('answers the host’s own echo', async () => {
    await submit(debitTelling());
    host.send({
      type: '0800',
      fields: { transmittedAt: '1123120000', trace: '777777', networkCode: '301' },
    });
    await host.arrived('0810');
    expect(host.received.at(-1)).toMatchObject({ fields: { trace: '777777', responseCode: '00' } });
  });

  it('that has been silent is asked for an echo', async () => {
    const idle = connectorAt(host.port, { echoAfterMs: 20 });
    const { request, instrument } = debitTelling();
    const beginByMs = performance.now() + TIMEOUT_MS;
    await idle.submit(request, instrument, { timeoutMs: TIMEOUT_MS, beginByMs });
    await host.arrived('0800', 3);
    expect(host.received.at(-1)).toMatchObject({ fields: { networkCode: '301' }, connection: 0 });
    await idle.close();
  });

  it('that is half open is noticed after a call without an answer, and replaced', async () => {
    host.answers = ({ type, fields }) =>
      fields.networkCode === '001' ? [answerTo({ type, fields })] : [];
    const lost = await submit(debitTelling(), { timeoutMs: SHORT_MS });
    expect(lost).toEqual({ kind: 'unknown', reason: 'timeout' });
    host.answers = (message) => (message.fields.networkCode === '301' ? [] : [answerTo(message)]);
    // It waits for the echo, and goes over the next connection: once.
    const next = debitTelling();
    const beginByMs = performance.now() + 5 * TIMEOUT_MS;
    expect(await submit(next, { beginByMs, timeoutMs: 5 * TIMEOUT_MS })).toMatchObject({
      kind: 'approved',
    });
    const sent = host.received.filter(
      ({ fields }) => fields.reference === next.request.acquirerReference,
    );
    expect(sent).toMatchObject([{ connection: 1 }]);
  });

  it('is shared: answers find their calls in any order', async () => {
    const kept: Message[] = [];
    host.answers = (message) => {
      if (isNetwork(message)) return [answerTo(message)];
      kept.push(message);
      return kept.length < 3 ? [] : kept.reverse().map((each) => answerTo(each));
    };
    const submissions = [debitTelling(), debitTelling(), debitTelling()];
    const outcomes = await Promise.all(submissions.map((each) => submit(each)));
    const references = kept.map(({ fields }) => fields.retrievalReference).reverse();
    expect(outcomes).toMatchObject(
      references.map((connectorTxId) => ({ kind: 'approved', connectorTxId })),
    );
    expect(host.connections).toBe(1);
  });
});

describe('an answer', () => {
  it.each([
    ['retrieval reference', { retrievalReference: 'ANOTHER00000' }],
    ['own reference', { reference: 'another' }],
    ['currency', { currency: '840' }],
  ])('with the right key and another %s is none, and ends the connection', async (_, changed) => {
    host.answers = (message) => [answerTo(message, isNetwork(message) ? {} : changed)];
    const outcome = await submit(debitTelling());
    expect(outcome).toEqual({ kind: 'unknown', reason: 'unreadableAnswer' });
    host.answers = (message) => [answerTo(message)];
    expect(await submit(debitTelling())).toMatchObject({ kind: 'approved' });
    expect(host.connections).toBe(2);
  });

  it('to what was never asked makes everything on the connection unknown', async () => {
    host.answers = (message) =>
      isNetwork(message)
        ? [answerTo(message)]
        : [answerTo({ ...message, fields: { ...message.fields, trace: '999999' } })];
    const outcome = await submit(debitTelling());
    expect(outcome).toEqual({ kind: 'unknown', reason: 'unreadableAnswer' });
  });

  it('of another amount that calls itself an approval is unknown', async () => {
    host.answers = (message) => [
      answerTo(message, isNetwork(message) ? {} : { amount: '000000000001' }),
    ];
    const outcome = await submit(debitTelling());
    expect(outcome).toEqual({ kind: 'unknown', reason: 'unreadableAnswer' });
  });

  it('that comes late or twice disturbs nobody', async () => {
    host.answers = networkAlone;
    const late = debitTelling();
    const lost = submit(late, { timeoutMs: SHORT_MS });
    await host.arrived('0200');
    expect(await lost).toEqual({ kind: 'unknown', reason: 'timeout' });
    host.answers = (message) => [answerTo(message), answerTo(message)];
    host.send(answerTo(host.received.find(({ type }) => type === '0200')!));
    expect(await submit(debitTelling())).toMatchObject({ kind: 'approved' });
    expect(await submit(debitTelling())).toMatchObject({ kind: 'approved' });
    expect(host.connections).toBe(1);
  });
});

describe('a message', () => {
  it('is never sent a second time, even if it is submitted again', async () => {
    const submission = debitTelling();
    expect(await submit(submission)).toMatchObject({ kind: 'approved' });
    expect(await submit(submission)).toMatchObject({ kind: 'notPerformed' });
    expect(host.received.filter(({ type }) => type === '0200')).toHaveLength(1);
  });

  it('that undoes is the same whenever it is sent, and says that it is repeated', async () => {
    host.answers = networkAlone;
    const { acquirerReference, ...original } = debitTelling().request;
    const options = { timeoutMs: SHORT_MS, original };
    expect(await connector.reverse(acquirerReference, options)).toEqual({ kind: 'unavailable' });
    expect(await connector.reverse(acquirerReference, options)).toEqual({ kind: 'unavailable' });
    const [first, second] = host.received.filter((message) => !isNetwork(message));
    expect([first?.type, second?.type]).toEqual(['0420', '0421']);
    expect(second?.fields).toEqual(first?.fields);
  });
});

describe('a connection by 1993', () => {
  const newer = () => connectorAt(host.port, { version: '1993' });
  const debit = debitTelling();
  const beginByMs = () => performance.now() + TIMEOUT_MS;

  it('begins with the sign-on of that version, pays, undoes and says goodbye', async () => {
    const another = newer();
    const options = { timeoutMs: TIMEOUT_MS, beginByMs: beginByMs() };
    const { request, instrument } = debit;
    expect(await another.submit(request, instrument, options)).toMatchObject({
      kind: 'approved',
      resultDetails: { AcquirerResponse: '000' },
    });
    const { acquirerReference, ...original } = request;
    for (let round = 0; round < 2; round += 1) {
      expect(
        await another.reverse(acquirerReference, { timeoutMs: TIMEOUT_MS, original }),
      ).toMatchObject({ kind: 'reversed' });
    }
    await another.close();
    await host.arrived('1804', 2);
    expect(host.received).toMatchObject([
      { type: '1804', fields: { functionCode: '801' } },
      { type: '1200', fields: { functionCode: '200' } },
      { type: '1420', fields: { functionCode: '400', reasonCode: '4021' } },
      { type: '1421', fields: { functionCode: '400', reasonCode: '4021' } },
      { type: '1804', fields: { functionCode: '802' } },
    ]);
  });

  it('answers the host’s own echo in that version', async () => {
    const another = newer();
    const options = { timeoutMs: TIMEOUT_MS, beginByMs: beginByMs() };
    await another.submit(debit.request, debit.instrument, options);
    const localDateTime = '261123120000';
    host.send({ type: '1804', fields: { trace: '777777', localDateTime, functionCode: '831' } });
    await host.arrived('1814');
    expect(host.received.at(-1)).toMatchObject({
      fields: { trace: '777777', localDateTime, responseCode: '800' },
    });
    await another.close();
  });

  it('is over when an answer is of the other version', async () => {
    const another = newer();
    host.answers = (message) => [
      message.type === '1804'
        ? answerTo(message)
        : { type: '0210', fields: { trace: message.fields.trace ?? '', responseCode: '00' } },
    ];
    const options = { timeoutMs: TIMEOUT_MS, beginByMs: beginByMs() };
    expect(await another.submit(debit.request, debit.instrument, options)).toEqual({
      kind: 'unknown',
      reason: 'unreadableAnswer',
    });
    await another.close();
  });
});

describe('a partial approval', () => {
  const partly = (message: Message) =>
    answerTo(message, { responseCode: '10', amount: '000000004600' });

  it('is undone, and a decline', async () => {
    host.answers = (message) => (message.type === '0200' ? [partly(message)] : [answerTo(message)]);
    const submission = debitTelling();
    expect(await submit(submission)).toMatchObject({
      kind: 'declined',
      resultCode: '800.100.203',
    });
    const { acquirerReference } = submission.request;
    expect(host.received.at(-1)).toMatchObject({
      type: '0420',
      fields: { originalReference: acquirerReference, amount: '000000009200' },
    });
  });

  it('that cannot be undone is unknown, so that recovery undoes it', async () => {
    host.answers = (message) =>
      message.type === '0200' ? [partly(message)] : networkAlone(message);
    const outcome = await submit(debitTelling(), { timeoutMs: 3 * SHORT_MS });
    expect(outcome).toEqual({ kind: 'unknown', reason: 'timeout' });
  });
});
