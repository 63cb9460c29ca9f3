import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  RegistrationCommandMessage,
  RegistrationOutcome,
  RegistrationReply,
  RegistrationTransaction,
} from '@sluice/contracts';
import { systemClock } from '@sluice/service';
import { post } from './http-client.js';
import { entityId, registered, ScriptedEdge, type Script, startMs } from './scripted-edge.js';
import { registering } from './scripted-registrations.js';
import { card, ID } from './stored-card.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  // Waiting is measured with a clock that moves; the time of day stands still.
  const clock = { now: () => startMs, monotonicMs: () => systemClock.monotonicMs() };
  await edge.start({ duplicateWaitMs: 300 }, clock);
});
afterAll(() => edge.close());
beforeEach(() => {
  edge.reset();
  edge.script.registered = registered;
  edge.script.register = remembering({ status: 'requested', resultCode: '000.200.000' });
});

type Ended = Pick<RegistrationOutcome, 'status' | 'resultCode'>;

const APPROVED: Ended = { status: 'approved', resultCode: '000.100.110' };
const RUNNING: Ended = { status: 'requested', resultCode: '000.200.000' };

/** What registrations has on record of a command. */
function recordOf({ data }: RegistrationCommandMessage, ended: Ended): RegistrationTransaction {
  return {
    ...{ ...outcomeOf(registering(ended)({ data } as RegistrationCommandMessage)), entityId },
    ...{ channelName: 'Book Shop', mode: 'INTERNAL', ndc: 'first', recordedAtMs: startMs },
    ...{ parameters: data.parameters, personal: {} },
  };
}

function outcomeOf(result: ReturnType<Script['register']>): RegistrationOutcome {
  if (result.kind !== 'replied' || result.reply.kind !== 'outcome') throw new Error('no outcome');
  return result.reply.outcome;
}

/** Registrations that remembers the first command under its key, as its database does. */
function remembering(ended: Ended): Script['register'] {
  let first: RegistrationCommandMessage | undefined;
  return (command) => {
    const { idempotency } = (first ??= command).data;
    if (first === command || idempotency === undefined) return registering(ended)(command);
    const { fingerprint, answer } = idempotency;
    const outcome = outcomeOf(registering(ended)(first));
    const reply: RegistrationReply = { kind: 'keyTaken', fingerprint, answer, outcome };
    return { kind: 'replied', reply };
  };
}

const change = { entityId, 'card.expiryMonth': '11', 'card.expiryYear': '2039' };

describe.each([
  ['the request for a registration', '', card],
  ['a change of one', `/${ID}`, change],
])('a duplicate of %s, which still runs,', (_, path, form) => {
  const send = () =>
    post(`${edge.url}/v1/registrations${path}`, form, { 'Idempotency-Key': 'shelf-1' });

  it('waits for its outcome, as that of a payment does', async () => {
    const first = await send();
    expect(first.body.result.code).toBe('000.200.000');
    const [owner] = edge.registrations;
    let looks = 0;
    edge.script.findOfRegistration = ({ transactionId }) => {
      expect(transactionId).toBe(owner?.data.transactionId);
      looks += 1;
      return owner && recordOf(owner, looks < 3 ? RUNNING : APPROVED);
    };
    const again = await send();
    expect(looks).toBe(3);
    expect(again.body).toMatchObject({
      ...{ id: first.body.id, ndc: first.body.ndc, result: { code: '000.100.110' } },
      card: first.body['card'],
    });
    const held = edge.held.map((_each, index) => `reference-${String(index + 1)}`);
    // What the vault holds for the first one is still needed, and that of the second by nobody.
    expect(edge.forgotten).toEqual(held.slice(1));
  });

  it.each([
    ['nobody can tell', undefined],
    ['it runs for longer', RUNNING],
  ])('is pending with its id where %s', async (_why, state) => {
    const first = await send();
    const [owner] = edge.registrations;
    edge.script.findOfRegistration = () => {
      if (state === undefined) throw new Error('registrations is away');
      return owner && recordOf(owner, state);
    };
    const again = await send();
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
  });
});

it('a registration that waits for its payment is answered so at once', async () => {
  const awaiting = { status: 'awaitsPayment', resultCode: '000.200.000' } as const;
  edge.script.register = remembering(awaiting);
  edge.script.findOfRegistration = () => {
    throw new Error('nobody is to be asked');
  };
  const send = () => post(`${edge.url}/v1/registrations`, card, { 'Idempotency-Key': 'shelf-2' });
  const first = await send();
  expect((await send()).text).toBe(first.text);
});
