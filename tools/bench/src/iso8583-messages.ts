import { type Message, type MessageEncoding, packMessage, unpackMessage } from '@sluice/connectors';
import { rounded, timesOf } from './timed-work.js';

/*
 * `npm run bench -- --iso8583`: what it costs to pack a message of ISO 8583 and to unpack it again, in
 * one process, without a host. Each figure stands beside a floor of the same run, Node's own JSON of
 * the same fields both ways, so that it can be compared between machines.
 */

/** A host answers in milliseconds: this is nothing beside it. */
const BAR_US = 30;
/** Too quick for the clock: many make one run. */
const REPEATED = 1_000;
const encodings: readonly MessageEncoding[] = ['ascii', 'binary'];

const KEYS = { transmittedAt: '1124140512', trace: '004711', terminal: 'T0000001' } as const;
const REFERENCE = '01a20346f466f8b7fbae41b9a0752828';

const PAID = { processingCode: '000000', amount: '000000009200' } as const;
const SHOP = { ...KEYS, retrievalReference: '632914004711', merchant: 'SHOP00000000001' } as const;
const CARD = { primaryAccountNumber: '4200000000000000', expiry: '3405' } as const;
const FROM_1993 = { pointOfService: '100050100110', localDateTime: '261124140512' } as const;

/** What a payment sends and hears, and what undoes it: in 1987, and in 1993. */
const messages: readonly (readonly [name: string, message: Message])[] = [
  [
    'debit with a card',
    {
      type: '0200',
      fields: {
        ...{ ...SHOP, ...CARD, ...PAID },
        ...{ localTime: '140512', localDate: '1124', merchantCategory: '5999' },
        ...{ entryMode: '812', conditionCode: '59', acquirerId: '00000012345' },
        ...{ additionalData: '92003123', currency: '978', reference: REFERENCE },
      },
    },
  ],
  [
    'its answer',
    {
      type: '0210',
      fields: {
        ...{ ...SHOP, ...PAID, acquirerId: '00000012345', authCode: '004711' },
        ...{ responseCode: '00', currency: '978', reference: REFERENCE },
      },
    },
  ],
  [
    'undo',
    {
      type: '0420',
      fields: {
        ...{ ...SHOP, ...PAID, conditionCode: '59' },
        ...{ currency: '978', reference: REFERENCE, originalReference: REFERENCE },
        originalData: `02000047111124140512${'00000012345'.repeat(2)}`,
      },
    },
  ],
  ['echo', { type: '0800', fields: { ...KEYS, networkCode: '301' } }],
  [
    'debit with a card, 1993',
    {
      type: '1200',
      fields: {
        ...{ ...SHOP, ...CARD, ...PAID, ...FROM_1993 },
        ...{ functionCode: '200', merchantCategory: '5999', acquirerId: '12345' },
        ...{ additionalData: '92003123', currency: '978', reference: REFERENCE },
      },
    },
  ],
  [
    'its answer, 1993',
    {
      type: '1210',
      fields: {
        ...{ ...SHOP, ...PAID, localDateTime: FROM_1993.localDateTime, acquirerId: '12345' },
        ...{ authCode: '004711', responseCode: '000', currency: '978', reference: REFERENCE },
      },
    },
  ],
  [
    'undo, 1993',
    {
      type: '1420',
      fields: {
        ...{ ...SHOP, ...PAID, ...FROM_1993, functionCode: '400', reasonCode: '4021' },
        ...{ currency: '978', reference: REFERENCE, originalReference: REFERENCE },
        originalData: '12000047112611241405120512345',
      },
    },
  ],
  [
    'echo, 1993',
    {
      type: '1804',
      fields: { ...KEYS, localDateTime: FROM_1993.localDateTime, functionCode: '831' },
    },
  ],
];

/** The table of a run, line by line as they come. */
export function* messageLines(): Generator<string> {
  yield '\n| pack and unpack | bytes | best µs | median µs | CPU µs | floor, CPU µs | ratio | wanted | got |';
  yield '| --- | --- | --- | --- | --- | --- | --- | --- | --- |';
  for (const encoding of encodings) {
    for (const [name, message] of messages) yield lineOf(`${name}, ${encoding}`, message, encoding);
  }
}

function lineOf(name: string, message: Message, encoding: MessageEncoding): string {
  const packed = packMessage(message, encoding);
  const read = unpackMessage(packed, encoding);
  if (read === undefined || sorted(read) !== sorted(message)) {
    throw new Error(`"${name}" is read as something else, so its time says nothing.`);
  }
  const ours = timesOf(() => unpackMessage(packMessage(message, encoding), encoding), REPEATED);
  const floor = timesOf(() => JSON.parse(JSON.stringify(message)) as Message, REPEATED);
  const figures = [ours.best, ours.median, ours.cpu, floor.cpu].map(rounded);
  const ratio = (ours.cpu / floor.cpu).toFixed(1);
  const got = ours.cpu <= BAR_US ? 'met' : '**missed**';
  return `| ${name} | ${packed.length} | ${figures.join(' | ')} | ${ratio} | ≤ ${BAR_US} µs | ${got} |`;
}

/** Without the order of fields, which is the standard's in what was read. */
function sorted({ type, fields }: Message): string {
  return JSON.stringify([type, Object.entries(fields).sort()]);
}
