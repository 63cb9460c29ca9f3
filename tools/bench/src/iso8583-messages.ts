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

/** What a payment sends and hears, and what undoes it. */
const messages: readonly (readonly [name: string, message: Message])[] = [
  [
    'debit with a card',
    {
      type: '0200',
      fields: {
        ...KEYS,
        primaryAccountNumber: '4200000000000000',
        ...{ processingCode: '000000', amount: '000000009200', expiry: '3405' },
        ...{ localTime: '140512', localDate: '1124', merchantCategory: '5999' },
        ...{ entryMode: '812', conditionCode: '59', acquirerId: '00000012345' },
        ...{ retrievalReference: '632914004711', merchant: 'SHOP00000000001' },
        ...{ additionalData: '92003123', currency: '978', reference: REFERENCE },
      },
    },
  ],
  [
    'its answer',
    {
      type: '0210',
      fields: {
        ...KEYS,
        ...{ processingCode: '000000', amount: '000000009200', acquirerId: '00000012345' },
        ...{ retrievalReference: '632914004711', authCode: '004711', responseCode: '00' },
        ...{ merchant: 'SHOP00000000001', currency: '978', reference: REFERENCE },
      },
    },
  ],
  [
    'undo',
    {
      type: '0420',
      fields: {
        ...KEYS,
        ...{ processingCode: '000000', amount: '000000009200', conditionCode: '59' },
        ...{ retrievalReference: '632914004711', merchant: 'SHOP00000000001' },
        ...{ currency: '978', reference: REFERENCE, originalReference: REFERENCE },
        originalData: `02000047111124140512${'00000012345'.repeat(2)}`,
      },
    },
  ],
  ['echo', { type: '0800', fields: { ...KEYS, networkCode: '301' } }],
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
