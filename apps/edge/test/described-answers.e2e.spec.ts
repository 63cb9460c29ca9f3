import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AppChallenge, ScheduleView, ShownAuthentication } from '@sluice/contracts';
import { type JsonObject, openApiDocument, referenceStructures } from '@sluice/parameters';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { bearer, call, debit, type Parameters, post } from './http-client.js';
import type { RecordedAnswer } from './old-client.js';
import { stateOf } from './scripted-schedules.js';
import { entityId, registered, replying, ScriptedEdge, viewOf } from './scripted-edge.js';

/*
 * The description of answers against answers. It is open, because clients must take new fields; here
 * it is closed first, so that a field which nobody has described is found.
 */

/** The same schema, in which an object has the fields that are described and no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((each: unknown) => closed(each));
  if (typeof schema !== 'object' || schema === null) return schema;
  const fields = Object.fromEntries(
    Object.entries(schema).map(([name, value]: [string, unknown]) => [name, closed(value)]),
  );
  const isOpen = fields['type'] === 'object' && fields['additionalProperties'] === undefined;
  return isOpen ? { ...fields, additionalProperties: false } : fields;
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
}
const { components } = openApiDocument() as unknown as Document;
const { Payment, Payments, Records, Refusal, Registration, Result, ResultCodes } =
  components.schemas;
const { Schedule, ScheduleEntry, Schedules } = components.schemas;
const described = {
  ...{ Payment, Payments, Records, Refusal, Registration, Result, ResultCodes },
  ...{ Schedule, ScheduleEntry, Schedules },
};

const ajv = new Ajv2020({ allErrors: true, formats: { date: true, email: true, uri: true } });
ajv.addVocabulary(['components', 'x-not-answered-yet']);
ajv.addSchema({ $id: 'document', components: { schemas: closed(described) as object } });

/** What is wrong with a body by the closed schema of that name. */
function faultsOf(name: keyof typeof described, body: unknown): string[] {
  const isRight = ajv.getSchema(`document#/components/schemas/${name}`);
  if (isRight === undefined) throw new Error(`no schema ${name}`);
  if (isRight(body) === true) return [];
  return (isRight.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
}

function schemaNameOf(body: object): keyof typeof described {
  if ('payments' in body) return 'Payments';
  if ('records' in body) return 'Records';
  return 'paymentType' in body ? 'Payment' : 'Refusal';
}

const FOLDER = fileURLToPath(new URL('./recorded-answers/', import.meta.url));
const recordings = readdirSync(FOLDER).map((file): readonly [string, RecordedAnswer] => [
  file.replace('.json', ''),
  JSON.parse(readFileSync(FOLDER + file, 'utf8')) as RecordedAnswer,
]);

const edge = new ScriptedEdge();
/** Lenient, so that what only a switch lets in is answered too. */
beforeAll(() => edge.start({ isLenient: true }));
afterAll(() => edge.close());

const rows = referenceStructures().flatMap((structure) => structure.rows);

/** Examples that do not go together with all others, and what is said in their place. */
const TOGETHER: Parameters = {
  ...debit,
  createRegistration: 'false',
  // Beside a card an amount would have to be divided.
  'giftCard.number': undefined,
  'giftCard.pin': undefined,
  // Another account than the card.
  registrationId: undefined,
  // Of a token that is stored.
  'tokenAccount.cryptogram': undefined,
  'tokenAccount.dtvc': undefined,
  // Of a direct debit.
  transactionDueDate: undefined,
  // Another wallet than the first.
  'googlePay.source': undefined,
  'samsungPay.source': undefined,
  'clickToPay.source': undefined,
  // A merchant's reason is of what the merchant initiates.
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
  'threeDSecure.version': '2.2.0',
  // Of an authentication that the merchant begins, and of no other purpose.
  'threeDSecure.threeRIInd': 'RECURRING',
  'threeDSecure.authenticationInd': 'RECURRING',
};

/** A payment by card that says all that one can say. */
const everything: Parameters = {
  ...Object.fromEntries(
    rows
      .filter(({ uses }) => uses.some(({ kind }) => kind === 'payment'))
      .filter(({ key }) => !key.startsWith('authentication.') && key !== 'testMode')
      .map(({ exampleName, example }) => [exampleName, example]),
  ),
  ...TOGETHER,
};

/** A schedule that says all that one can say. */
const everythingPlanned: Parameters = {
  ...Object.fromEntries(
    rows
      .filter(({ uses }) => uses.some(({ kind }) => kind === 'schedule'))
      .filter(({ key }) => !key.startsWith('authentication.') && key !== 'testMode')
      .map(({ exampleName, example }) => [exampleName, example]),
  ),
  ...{ entityId, amount: '9.90', currency: 'EUR', paymentType: 'SD' },
};
const scheduled: ScheduleView = {
  ...{ ...stateOf('a'.repeat(32) as ScheduleView['id'], true), entityId, mode: 'INTERNAL' },
  ...{ channelName: 'demo', source: 'SCHEDULER' },
  outcome: {
    ...{ id: 'a'.repeat(32) as ScheduleView['id'], operation: 'schedule' },
    resultCode: '000.100.110',
  },
  ...{ parameters: { 'job.hour': '8' }, personal: { 'job.name': 'Books' } },
};

/** What belongs to a bank account, the account in both ways. */
const ofBankAccount: Parameters = Object.fromEntries(
  rows
    .filter(({ key }) => key.startsWith('bankAccount.'))
    .map(({ exampleName, example }) => [exampleName, example]),
);

const directDebit: Parameters = {
  ...{ entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' },
  ...{ paymentBrand: 'DIRECTDEBIT_SEPA', ...ofBankAccount },
};

const ofTokenAccount: Parameters = {
  'tokenAccount.number': '4200000000000075',
  'tokenAccount.type': 'NETWORK',
};

/** What is said of wallets, of which one payment has one. */
const ofOtherWallets: Parameters = {
  ...{ 'googlePay.source': 'web', 'samsungPay.source': 'app', 'clickToPay.source': 'web' },
};

const tokenPayment: Parameters = {
  ...{ entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' },
  ...{ paymentBrand: 'VISA', ...ofTokenAccount },
};

const giftCardPayment: Parameters = {
  ...{ entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'GIFTCARD' },
  ...{ 'giftCard.number': '6006491260550218', 'giftCard.holder': 'Mary Morstan' },
  'giftCard.message': 'Happy birthday, Mary!',
};

const approval = {
  connectorTxId: 'S000000000042',
  resultDetails: {
    AcquirerResponse: '00',
    AuthCode: '000042',
    MerchantAdviceCode: '02',
    ReferenceNbr: '000000000042',
    clearingInstituteName: 'Sluice Simulator',
  },
  avsResponse: 'F',
  cvvResponse: 'M',
  riskScore: 30,
} as const;

/** What was found out here of a shopper. */
const authentication: ShownAuthentication = {
  ...{ status: 'N', flow: 'challenge', liabilityShifts: false, eci: '07', version: '2.2.0' },
  ...{ challengeCancel: '01', cardholderInfo: 'sealed Call your bank.', statusReason: '01' },
  serverTransactionId: '3ac7caa7-aa42-2663-791b-2ac05a542c4a',
  authenticated: { minor: '5000', currency: 'EUR' },
};

/** What an app goes on with, in an answer that says all else, too. */
const appChallenge: AppChallenge = {
  ...({ version: '2.2.0', serverTransactionId: '3ac7caa7-aa42-2663-791b-2ac05a542c4a' } as const),
  ...{ dsTransactionId: 'd', acsTransactionId: 'a', sdkTransactionId: 'k' },
  ...{ acsReferenceNumber: 'ACS', acsSignedContent: 'a.b.c' },
  acsRenderingType: { acsInterface: '01', acsUiTemplate: '01', deviceUserInterfaceMode: '01' },
};

const browser: Parameters = Object.fromEntries(
  rows
    .filter(({ key }) => key.startsWith('customer.browser.'))
    .map(({ exampleName, example }) => [exampleName, example]),
);

/** Real answers that together say all that is ever answered. */
async function fullAnswers(): Promise<Record<string, unknown>[]> {
  edge.script.reply = replying(approval);
  const paid = await post(`${edge.url}/v1/payments`, everything);
  expect(paid.body.result).toEqual({ ...paid.body.result, code: '000.100.110' });
  const view = viewOf(edge.command, approval);
  edge.script.find = () => view;
  const read = await call(`${edge.url}/v1/payments/${view.id}?entityId=${entityId}`, {
    headers: bearer,
  });
  edge.script.find = () => ({ ...view, source: 'SCHEDULER' });
  const queried = await call(`${edge.url}/v1/query/${view.id}?entityId=${entityId}`, {
    headers: bearer,
  });
  const detected = await post(`${edge.url}/v1/payments`, { ...debit, paymentBrand: undefined });
  const agreed = { 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' };
  const begun = await post(`${edge.url}/v1/payments`, { ...debit, ...agreed });
  edge.script.reply = replying({ ...approval, authentication });
  const authenticated = await post(`${edge.url}/v1/payments`, debit);
  edge.script.reply = replying({ ...approval, appChallenge });
  const inApp = await post(`${edge.url}/v1/payments`, debit);
  edge.script.reply = replying({ ...approval, authentication });
  edge.script.proof = () => ({ cryptogram: 'AAACAgSRBklmQCFgMpEGAAAAAAA=' });
  const { paymentType: _, ...asked } = debit;
  const alone = await post(`${edge.url}/v1/threeDSecure`, { ...asked, ...browser });
  edge.script.reply = replying(approval);
  const refund = { entityId, paymentType: 'RF', amount: '10.00', currency: 'EUR' };
  const refunded = await post(`${edge.url}/v1/payments/${view.id}`, refund);
  edge.script.registered = registered;
  const { amount, currency, paymentType } = debit;
  const byRegistration = await post(`${edge.url}/v1/registrations/${'a'.repeat(32)}/payments`, {
    ...{ entityId, amount, currency, paymentType },
  });
  const debited = await post(`${edge.url}/v1/payments`, directDebit);
  const byToken = await post(`${edge.url}/v1/payments`, tokenPayment);
  const byGiftCard = await post(`${edge.url}/v1/payments`, giftCardPayment);
  const byWallets = [];
  for (const [name, value] of Object.entries(ofOtherWallets)) {
    byWallets.push(await post(`${edge.url}/v1/payments`, { ...debit, [name]: value }));
  }
  const answers = [
    ...[paid, read, queried, detected, begun, authenticated, inApp, alone, refunded],
    ...[...byWallets, debited, byToken, byGiftCard, byRegistration],
  ];
  expect(answers.map(({ status, body }) => [status, body.result])).toMatchObject(
    answers.map(() => [200, { code: '000.100.110' }]),
  );
  return answers.map(({ body }) => ({ ...body }));
}

describe('the description of answers', () => {
  it('is open: clients must take new fields', () => {
    expect(JSON.stringify(described)).not.toContain('"additionalProperties":false');
  });

  it.each(recordings)('describes every field of %s', (_name, { body }) => {
    expect(faultsOf(schemaNameOf(body as object), body)).toEqual([]);
  });

  it('describes every field of the fullest answers', async () => {
    for (const answer of await fullAnswers()) expect(faultsOf('Payment', answer)).toEqual([]);
  });

  it('finds a field that is not described, a value of another form, and a stamp that is gone', async () => {
    const [answer] = await fullAnswers();
    const { ndc: _, ...unstamped } = answer ?? {};
    for (const wrong of [
      { ...answer, newField: 'x' },
      { ...answer, amount: '92' },
      { ...answer, card: { number: '4200000000000000' } },
      { ...answer, cart: { items: [{ name: 'x', newField: 'y' }] } },
      unstamped,
    ]) {
      expect(faultsOf('Payment', wrong)).toHaveLength(1);
    }
  });

  it('describes nothing that no answer has, but what it says is not answered yet', async () => {
    const answered = new Set((await fullAnswers()).flatMap((answer) => pathsOf(answer)));
    const missing = [...leavesOf(Payment ?? {})].filter((path) => !answered.has(path));
    expect(missing).toEqual([]);
  });

  it('describes what is answered of registrations', async () => {
    edge.script.registered = registered;
    const stored = {
      ...everything,
      amount: undefined,
      currency: undefined,
      paymentType: undefined,
      'recurring.numberOfInstallments': undefined,
      createRegistration: 'true',
    };
    const url = `${edge.url}/v1/registrations`;
    const one = `${url}/${'a'.repeat(32)}?entityId=${entityId}`;
    const answers = await Promise.all([
      post(url, stored),
      call(one, { headers: bearer }),
      call(one, { headers: bearer, method: 'DELETE' }),
    ]);
    for (const { status, body } of answers) {
      expect([status, faultsOf('Registration', body)]).toEqual([200, []]);
    }
  });

  it('describes what is answered of schedules', async () => {
    const registrationId = 'a'.repeat(32);
    const url = `${edge.url}/scheduling/v1/schedules`;
    const { status, body } = await post(url, { ...everythingPlanned, registrationId });
    expect([status, body.result.parameterErrors]).toEqual([200, undefined]);
    expect(faultsOf('Schedule', body)).toEqual([]);
    edge.script.scheduledOf = () => [scheduled, { ...scheduled, ...stateOf(scheduled.id, false) }];
    const query = `entityId=${entityId}&registrationId=${registrationId}`;
    const listed = await call(`${url}?${query}`, { headers: bearer });
    expect(faultsOf('Schedules', listed.body)).toEqual([]);
    edge.script.scheduled = () => scheduled;
    const alone = await call(`${url}/${scheduled.id}?entityId=${entityId}`, { headers: bearer });
    expect(faultsOf('Schedule', alone.body)).toEqual([]);
    edge.script.find = () => undefined;
    edge.script.asked = () => ({
      ...{ ...scheduled, ...scheduled.outcome, operation: 'schedule', status: 'approved' },
      ...{ ndc: 'ndc', recordedAtMs: 0 },
    });
    const entry = `${edge.url}/v1/query/${scheduled.id}?entityId=${entityId}`;
    const found = await call(entry, { headers: bearer });
    expect(found.status).toBe(200);
    expect(faultsOf('ScheduleEntry', found.body)).toEqual([]);
  });

  it('describes the list of result codes', async () => {
    const { body } = await call(`${edge.url}/v1/resultcodes`);
    expect(faultsOf('ResultCodes', body)).toEqual([]);
  });
});

describe('the column "In the answer"', () => {
  it('says of each parameter whether the answer returns it', async () => {
    const [answer = {}, ...others] = await fullAnswers();
    const otherwise = others.slice(-7);
    const answered = new Set([answer, ...otherwise].flatMap((each) => pathsOf(each)));
    const accounts = { ...ofBankAccount, ...ofTokenAccount, ...ofOtherWallets };
    const sent: Parameters = { ...everything, ...accounts, registrationId: 'a'.repeat(32) };
    for (const { key, exampleName, answered: said } of rows.filter(isAnsweredAlike)) {
      const path = exampleName.replace(/\[0\]/g, '').replace(/\[(.*)\]$/, '.$1');
      const isSent = sent[exampleName] !== undefined;
      expect([key, said === 'yes']).toEqual([key, isSent && answered.has(path)]);
    }
  });

  it('says of the accounts how else they are returned', () => {
    const said = rows.filter((row) => !isAnsweredAlike(row));
    expect(said.map(({ key, answered }) => [key, answered])).toEqual([
      ['card.number', 'as `card.bin` and `card.last4Digits`'],
      ['bankAccount.number', 'masked'],
      ['bankAccount.iban', 'masked'],
      ['tokenAccount.number', 'masked'],
      ['threeDSecure.amount', 'where it does not cover what is paid'],
      ['threeDSecure.currency', 'as the amount beside it'],
      ['giftCard.number', 'masked'],
    ]);
  });
});

/** Whether it is returned as it was sent, or not at all. */
function isAnsweredAlike({ answered }: { readonly answered: string }): boolean {
  return ['yes', 'no'].includes(answered);
}

/** Every value of a body by its path, without indexes. */
function pathsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => pathsOf(each, at));
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    pathsOf(inner, at === '' ? name : `${at}.${name}`),
  );
}

/** Every value that a schema describes by its path, but those of what is not answered yet. */
function* leavesOf(schema: JsonObject, at = ''): Generator<string, void> {
  if (schema['x-not-answered-yet'] === true || schema['$ref'] !== undefined) return;
  if (schema['type'] === 'array') return yield* leavesOf(schema['items'] as JsonObject, at);
  const properties = schema['properties'] as Readonly<Record<string, JsonObject>> | undefined;
  if (properties === undefined) {
    if (schema['type'] !== 'object') yield at;
    return;
  }
  for (const [name, inner] of Object.entries(properties)) {
    yield* leavesOf(inner, at === '' ? name : `${at}.${name}`);
  }
}
