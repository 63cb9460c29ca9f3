import { createHash, randomUUID } from 'node:crypto';
import {
  isMissing,
  isVersion,
  type Message,
  type MessageVersion,
  messageVersions,
  type Read,
  SPOKEN_VERSIONS,
} from './messages.js';
import { changed, type ElementForm, form, text, transactionId } from './element-forms.js';
import type { Network } from './networks.js';
import { cardsOf, numbersWithoutPartIn } from './test-cards.js';

/** What changed of a range: it is new, it is gone, it is different. */
type Action = 'A' | 'D' | 'M';

interface Range {
  readonly start: string;
  readonly end: string;
  readonly hasMethod: boolean;
  readonly action: Action;
  /** The first and the last version that the issuer speaks. */
  readonly versions: readonly [first: string, last: string];
}

const [FIRST_VERSION, , LAST_VERSION] = messageVersions;
const ALL_VERSIONS = [FIRST_VERSION, LAST_VERSION] as const;
/** Of an issuer whose cards take no part any more. */
const OLD_VERSIONS = ['1.0.2', '1.0.2'] as const;
/** What was there before the list that is sent today, for whoever says that this is all he has. */
const EARLIER_SERIAL = '1';
/** In the earlier list alone: the issuer of these has left. */
const LEFT = { start: '4999990000000000', end: '4999990000999999', versions: ALL_VERSIONS };
/** Older lists were other ones: whoever has one of those is sent all that is there now. */
const SERIAL = /^(?:[23]\.|4)[0-9a-f]{8}$/;
/** EMV `readOrder`: no two ranges overlap, so that it does not matter. */
const FIRST_COMES_FIRST = '01';
/** What PReq says beside its version. */
const FORMS: readonly (readonly [name: string, form: ElementForm])[] = [
  ['threeDSServerTransID', transactionId],
  ['threeDSServerRefNumber', text(32)],
  ['threeDSServerOperatorID', text(32)],
  ['serialNum', text(20)],
  ['cardRangeDataDownloadInd', changed(() => undefined, ['2.3.1', form(/^Y$/)])],
];
/** 01: authentication; 02: attempts; 03: decoupled. */
const ACS_INFORMATION = ['01', '02', '03'];

/**
 * The answer to PReq: a range for each card that takes part. Whoever names the serial number of today
 * is told that nothing has changed, and whoever names an earlier one what has.
 */
export function preparation(request: Message, network: Network, methodUrl: string): Read<Message> {
  const { messageVersion: version, threeDSServerTransID, threeDSServerRefNumber } = request;
  const { serialNum } = request;
  if (isMissing(version)) return { refusal: { code: '201', detail: 'messageVersion' } };
  if (typeof version !== 'string') return { refusal: { code: '203', detail: 'messageVersion' } };
  if (!isVersion(version)) return { refusal: { code: '102', detail: SPOKEN_VERSIONS } };
  const missing = Object.entries({ threeDSServerTransID, threeDSServerRefNumber })
    .filter(([, value]) => isMissing(value))
    .map(([name]) => name);
  if (missing.length > 0) return { refusal: { code: '201', detail: missing.join(',') } };
  const malformed = FORMS.filter(
    ([name, form]) => request[name] !== undefined && form(request[name], version) !== undefined,
  ).map(([name]) => name);
  if (malformed.length > 0) return { refusal: { code: '203', detail: malformed.join(',') } };
  const serial = serialOf(methodUrl);
  const ranges = rangesSince(serialNum, serial, network);
  if (ranges === undefined) return { refusal: { code: '307', detail: 'serialNum' } };
  const isNew = version === LAST_VERSION;
  return {
    value: {
      messageType: 'PRes',
      messageVersion: version,
      threeDSServerTransID,
      dsTransID: randomUUID(),
      serialNum: serial,
      ...(isNew
        ? { dsProtocolVersions: messageVersions, readOrder: FIRST_COMES_FIRST }
        : { dsStartProtocolVersion: FIRST_VERSION, dsEndProtocolVersion: LAST_VERSION }),
      ...(ranges.length > 0 && {
        cardRangeData: ranges.map((range) =>
          isNew ? shown(range, methodUrl) : shownBefore(range, methodUrl, version),
        ),
      }),
    },
  };
}

/** Another address of the pages makes another list of it. */
function serialOf(methodUrl: string): string {
  return `4${createHash('sha256').update(methodUrl).digest('hex').slice(0, 8)}`;
}

function rangesSince(
  serialNum: unknown,
  current: string,
  network: Network,
): readonly Range[] | undefined {
  const all = (action: Action): Range[] => [
    ...cardsOf(network).map(({ number, hasMethod }) => {
      return { start: number, end: number, hasMethod, action, versions: ALL_VERSIONS };
    }),
    ...numbersWithoutPartIn(network).map((number) => {
      return { start: number, end: number, hasMethod: false, action, versions: OLD_VERSIONS };
    }),
  ];
  if (serialNum === undefined) return all('A');
  if (serialNum === current) return [];
  if (serialNum === EARLIER_SERIAL) {
    const changed = all('M').map((range, index): Range => {
      return index === 0 ? { ...range, action: 'A' } : range;
    });
    return [...changed, { ...LEFT, hasMethod: false, action: 'D' }];
  }
  return typeof serialNum === 'string' && SERIAL.test(serialNum) ? all('M') : undefined;
}

/** Until 2.2.0. In 2.1.0 a range that is different comes as a new one, and nothing says what its ACS does. */
function shownBefore(
  { start, end, hasMethod, action, versions }: Range,
  methodUrl: string,
  version: MessageVersion,
): Message {
  const isFirst = version === FIRST_VERSION;
  return {
    startRange: start,
    endRange: end,
    actionInd: isFirst && action === 'M' ? 'A' : action,
    acsStartProtocolVersion: versions[0],
    acsEndProtocolVersion: versions[1],
    ...(!isFirst && { acsInfoInd: ACS_INFORMATION }),
    ...(hasMethod && { threeDSMethodURL: methodUrl }),
  };
}

/** From 2.3.1 on. */
function shown({ start, end, hasMethod, action, versions }: Range, methodUrl: string): Message {
  return {
    ranges: [{ start, end }],
    actionInd: action,
    dsProtocolVersions: messageVersions,
    acsProtocolVersions: (versions === ALL_VERSIONS ? messageVersions : [versions[0]]).map(
      (version) => ({
        version,
        acsInfoInd: ACS_INFORMATION,
        ...(hasMethod && { threeDSMethodURL: methodUrl }),
      }),
    ),
  };
}
