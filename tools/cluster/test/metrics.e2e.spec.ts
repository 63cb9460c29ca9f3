import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { declarations } from '@sluice/apps';
import { eventPublishers, eventTopics } from '@sluice/contracts';
import { createKafka, HttpQueries } from '@sluice/messaging';
import { type MetricDeclaration, OTHER, processMetrics } from '@sluice/service';
import { testKafka } from '@sluice/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { Services } from './services-fixture.js';

jest.setTimeout(180_000);

/** The demo channel, as the greeting of the sandbox prints it. */
const TOKEN = 'sluice-demo-access-token-for-sandboxes-only';
const ENTITY = '8a8294174b7ecb28014b9699220015ca';
const NUMBER = '4200000000000000';
const POLL_MS = 100;

const promised = Object.values(await declarations()).map(({ metrics }) => metrics);
/** Without TLS no certificate ends, and no channel has rules. */
const SILENT_HERE = [
  ...['sluice_certificate_expires_in_seconds', 'sluice_risk_assessments_total'],
  // Nobody gave a file of addresses.
  'sluice_risk_address_file_age_seconds',
];

const kafka = testKafka();
const services = new Services(kafka);

beforeAll(async () => {
  await services.start();
  await services.startReporting();
  await services.startSepa();
  const webhooks = await services.startWebhooks();
  const { url } = await webhooks.logged('Other services are answered.');
  // As checkouts does of a checkout that nobody has: nothing is called.
  const asked = new HttpQueries({ urls: { webhooks: [String(url)] } });
  const call = { checkoutId: `${'A'.repeat(32)}.test`, entityId: ENTITY };
  await asked.ask('webhooks', 'webhooks.callResult', call);
  await asked.close();
  for (const publisher of eventPublishers) await services.startRelay(publisher);
  const { status } = await fetch(`${await services.startReferencePage()}/docs`);
  expect(status).toBe(200);
  // The one that knows where reporting is.
  await services.startEdge({ EDGE_ORDINAL: '1' });
}, 180_000);

afterAll(async () => {
  await services.remove();
}, 60_000);

async function pay(more: Record<string, string> = {}): Promise<number> {
  const { status } = await post('payments', {
    ...{ amount: '92.00', currency: 'EUR', paymentBrand: 'VISA', paymentType: 'DB', ...card },
    ...{ 'card.cvv': '123', ...more },
  });
  return status;
}

const card = {
  ...{ 'card.number': NUMBER, 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};

/** By the token of a wallet for which nobody has a key here. */
async function payByToken(): Promise<number> {
  const { status } = await post('payments', {
    ...{ amount: '92.00', currency: 'EUR', paymentBrand: 'APPLEPAY', paymentType: 'DB' },
    'applePay.paymentToken': '{"version":"EC_v1"}',
  });
  return status;
}

function post(path: string, parameters: Record<string, string>): Promise<Response> {
  return fetch(`${services.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: new URLSearchParams({ entityId: ENTITY, ...parameters }),
  });
}

/** Stores a card, and is answered with its registration's id. */
async function store(): Promise<string> {
  const response = await post('registrations', { paymentBrand: 'VISA', ...card });
  return ((await response.json()) as { id: string }).id;
}

/** Charges a card at a time that comes within a second, and never again. */
async function schedule(registrationId: string): Promise<void> {
  const once = { 'job.durationUnit': 'SECOND', 'job.durationNumber': '1' };
  const money = { amount: '9.90', currency: 'EUR', paymentType: 'SD' };
  const job = { 'job.expression': '* * * * * ? *', ...once };
  const url = `${services.url}/scheduling/v1/schedules`;
  const headers = { authorization: `Bearer ${TOKEN}` };
  const body = new URLSearchParams({ entityId: ENTITY, registrationId, ...money, ...job });
  const response = await fetch(url, { method: 'POST', headers, body });
  const { id } = (await response.json()) as { id: string };
  expect((await fetch(`${url}/${id}?entityId=${ENTITY}`, { headers })).status).toBe(200);
}

/** Makes a checkout and reads how it stands. */
async function checkOut(): Promise<number> {
  const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
  const { id } = (await (await post('checkouts', money)).json()) as { id: string };
  const url = `${services.url}/v1/checkouts/${id}/payment?entityId=${ENTITY}`;
  const { status } = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
  return status;
}

/** Somebody writes into the topic of events what is none. */
async function disturb(): Promise<void> {
  const { brokers, topicPrefix } = kafka;
  const producer = createKafka({ brokers, clientId: 'metrics-test' }).producer();
  await producer.connect();
  const topic = topicPrefix + eventTopics.payments;
  await producer.send({ topic, messages: [{ key: 'nobody', value: 'no event' }] });
  await producer.disconnect();
}

async function scraped(service: string): Promise<string> {
  const process = services.processes.get(service);
  if (process === undefined) throw new Error(`there is no ${service}`);
  const { status, contentType, text } = await process.scrape();
  expect({ status, contentType }).toEqual({
    status: 200,
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  });
  return text;
}

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-z_]+)="([^"]*)"/g;

function samplesIn(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text]);
    return [{ name, labels: Object.fromEntries(pairs) as Sample['labels'], value: Number(value) }];
  });
}

function samplesOf(samples: readonly Sample[], { name, type }: MetricDeclaration) {
  return samples.filter(
    (sample) => sample.name === (type === 'histogram' ? `${name}_count` : name),
  );
}

/** Scrapes until a sample has the value: relay and projection follow a payment by themselves. */
async function until(service: string, name: string, isRight: (value: number) => boolean) {
  for (;;) {
    const found = samplesIn(await scraped(service)).filter((sample) => sample.name === name);
    // Reporting has a sample for each of its projections.
    const right = found.find(({ value }) => isRight(value));
    if (right !== undefined) return right;
    await pause(POLL_MS);
  }
}

describe('a payment, a refusal and a read', () => {
  it('are answered, and what is no event is put aside', async () => {
    expect(await pay()).toBe(200);
    expect(await pay({ currency: 'JPY', amount: '100' })).toBe(200);
    expect(await pay({ amount: 'free' })).toBe(400);
    expect(await payByToken()).toBe(400);
    const registrationId = await store();
    const url = `${services.url}/v1/registrations/${registrationId}?entityId=${ENTITY}`;
    expect((await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
    expect(await checkOut()).toBe(200);
    await schedule(registrationId);
    await until('scheduling', 'sluice_schedule_runs_total', (value) => value === 1);
    await until('scheduling-relay', 'sluice_relay_published_total', (value) => value >= 1);
    await until('registrations-relay', 'sluice_relay_published_total', (value) => value >= 2);
    await until('payments-relay', 'sluice_relay_published_total', (value) => value >= 4);
    await until('reporting', 'sluice_projection_position', (value) => value >= 4);
    await disturb();
    expect(await services.askSepa('nobodys-order')).toEqual({ kind: 'notFound' });
    await services.bankAnswers('docs/how-to/sepa/return.camt.054.xml', 'nobodys-order');
    await until('sepa', 'sluice_bank_file_entries_total', (value) => value === 1);
    await until('reporting', 'sluice_dead_letters_total', (value) => value === 1);
    await until('webhooks', 'sluice_dead_letters_total', (value) => value === 1);
    await until('webhooks', 'messaging_process_duration_seconds_count', (value) => value >= 1);
    const query = `entityId=${ENTITY}&merchantTransactionId=none`;
    await fetch(`${services.url}/v3/query?${query}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    await until('reporting', 'sluice_internal_calls_total', (value) => value >= 1);
    await until('accounts', 'sluice_accounts_askers', (value) => value >= 1);
  });
});

describe.each(promised)('/metrics of $service', ({ service, declarations }) => {
  it('emits every metric that is declared, and each with values', async () => {
    const text = await scraped(service);
    const samples = samplesIn(text);
    for (const declaration of [...processMetrics, ...declarations]) {
      const { name, type } = declaration;
      expect(text).toContain(`# TYPE ${name} ${type}\n`);
      const count = samplesOf(samples, declaration).length;
      expect({ name, isEmitted: count > 0 }).toEqual({
        name,
        isEmitted: !SILENT_HERE.includes(name),
      });
    }
  });

  it('emits no metric of ours that is not declared', async () => {
    const types = [...(await scraped(service)).matchAll(/^# TYPE (\S+)/gm)];
    const known = new Set([...processMetrics, ...declarations].map(({ name }) => name));
    const own = types.map(([, name = '']) => name);
    expect(own.filter((name) => !/^(?:process|nodejs)_/.test(name) && !known.has(name))).toEqual(
      [],
    );
    expect(own).toEqual(
      expect.arrayContaining([
        'process_cpu_seconds_total',
        'nodejs_eventloop_lag_p99_seconds',
        'nodejs_gc_duration_seconds',
      ]),
    );
  });

  it('has no other label values than declared', async () => {
    const samples = samplesIn(await scraped(service));
    for (const declaration of declarations) {
      for (const { labels } of samplesOf(samples, declaration)) {
        expect(Object.keys(labels)).toEqual(Object.keys(declaration.labels));
        for (const [label, values] of Object.entries(declaration.labels)) {
          if ('atMost' in values) continue;
          expect([...values, OTHER]).toContain(labels[label]);
        }
      }
    }
  });

  it('has nothing of a card, a channel or a transaction in it', async () => {
    const text = await scraped(service);
    for (const secret of [NUMBER, ENTITY, TOKEN, 'Jane']) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/[0-9a-f]{32}/);
  });
});

describe('what they say', () => {
  it('is what happened', async () => {
    const payments = samplesIn(await scraped('payments'));
    const approved = { payment_type: 'DB', brand: 'VISA', result_group: 'success' };
    expect(payments).toContainEqual({
      name: 'sluice_payments_total',
      labels: { ...approved, connector: 'simulator' },
      // One of them by a schedule.
      value: 3,
    });
    for (const [currency, value] of [
      ['EUR', 101.9],
      ['JPY', 100],
    ] as const) {
      const labels = { currency, payment_type: 'DB' };
      expect(payments).toContainEqual({ name: 'sluice_payment_amount_total', labels, value });
    }
    expect(payments).toContainEqual({
      name: 'sluice_payment_duration_seconds_count',
      labels: { stage: 'total' },
      value: 3,
    });
    const edge = samplesIn(await scraped('edge'));
    const route = { http_request_method: 'POST', http_route: '/v1/payments' };
    for (const [status, value] of [
      ['200', 2],
      ['400', 2],
    ] as const) {
      expect(edge).toContainEqual({
        name: 'http_server_request_duration_seconds_count',
        labels: { ...route, http_response_status_code: status },
        value,
      });
    }
    expect(edge).toContainEqual({ name: 'sluice_refused_parameters_total', labels: {}, value: 1 });
    const vault = samplesIn(await scraped('vault'));
    expect(vault).toContainEqual({
      name: 'sluice_vault_cards_total',
      labels: { action: 'revealedFromMemory' },
      value: 2,
    });
  });

  it('is that nobody is behind, once everything is read', async () => {
    for (const service of ['payments', 'reporting', 'edge']) {
      const { labels } = await until(service, 'sluice_kafka_consumer_lag', (value) => value === 0);
      expect(labels['group']).not.toBe(OTHER);
    }
    await until('payments-relay', 'sluice_outbox_pending', (value) => value === 0);
    await until('payments', 'sluice_unknown_open', (value) => value === 0);
  });
});
