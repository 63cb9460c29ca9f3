import {
  benchChannels,
  type InstallationUnderTest,
  type Profile,
  startUnderTest,
} from './installation-under-test.js';
import { offer } from './ladder.js';
import { type RunsSeen, SchedulesFill } from './schedules-fill.js';
import { tableLines } from './text-table.js';

/*
 * `npm run bench -- --schedules`: how soon twenty thousand schedules are charged that are due in the same
 * second, each with a payment of its own, among so many that are not due.
 */

/** What is measured. */
export interface SchedulesWish {
  readonly runIn: Profile;
  /** Schedules that are not due. */
  readonly stored: number;
  /** Where CPU profiles are written. */
  readonly profileDirectory: string | undefined;
}

const DUE_AT_ONCE = 20_000;
/** All of them are copied by then. */
const LEAD_MS = 20_000;
const STARTED_WITHIN_S = 60;
const NOT_DUE = '0 0 8 1 1 ? 2099';
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
} as const;

/** Fills, and measures; what there is to say is said as it comes. */
export async function schedules(
  { runIn, stored, profileDirectory }: SchedulesWish,
  warmUp: { readonly rate: number; readonly seconds: number },
  say: (line: string) => void,
): Promise<void> {
  say(`${runIn}: start, ${warmUp.seconds} s of warm-up …`);
  const installation = await startUnderTest(runIn, {
    ...(profileDirectory !== undefined && { profileDirectory }),
    arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
  });
  const fill = await SchedulesFill.of(installation);
  try {
    await offer(installation, warmUp.rate, warmUp.seconds);
    const registrationId = await made(installation, '/v1/registrations', CARD);
    say(`${stored} schedules that are not due …`);
    if (stored > 0) {
      const first = await scheduled(installation, registrationId, NOT_DUE);
      await fill.copy(first, stored - 1);
      await fill.settle();
    }
    const due = new Date(Math.ceil((Date.now() + LEAD_MS) / 1_000) * 1_000);
    say(`${DUE_AT_ONCE} that are due at ${due.toISOString()} …`);
    const template = await scheduled(installation, registrationId, onceAt(due));
    await fill.copy(template, DUE_AT_ONCE - 1);
    if (Date.now() > due.getTime()) throw new Error('They were not copied in time.');
    const before = await fill.scans();
    await fill.untilNothingIsDue();
    const scanned = (await fill.scans()) - before;
    const seen = await fill.seen(due.getTime());
    for (const line of schedulesLines({ seen, stored, scanned })) say(line);
  } finally {
    await fill.close();
    await installation.stop();
  }
}

function scheduled(
  installation: InstallationUnderTest,
  registrationId: string,
  expression: string,
): Promise<string> {
  const charge = { registrationId, amount: '9.90', currency: 'EUR', paymentType: 'SD' };
  const form = { ...charge, 'job.expression': expression };
  return made(installation, '/scheduling/v1/schedules', form);
}

async function made(
  { port }: InstallationUnderTest,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<string> {
  const [{ entityId, accessToken }] = benchChannels;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...{ method: 'POST', headers: { Authorization: `Bearer ${accessToken}` } },
    body: new URLSearchParams({ entityId, ...form }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} was refused: ${text}`);
  return (JSON.parse(text) as { readonly id: string }).id;
}

/** The expression of a time that comes once. */
function onceAt(time: Date): string {
  const [second, minute, hour] = [time.getUTCSeconds(), time.getUTCMinutes(), time.getUTCHours()];
  const [day, month, year] = [time.getUTCDate(), time.getUTCMonth() + 1, time.getUTCFullYear()];
  return `${second} ${minute} ${hour} ${day} ${month} ? ${year}`;
}

/** What was measured. */
export interface SchedulesFigures {
  readonly seen: RunsSeen;
  readonly stored: number;
  /** How often a table of schedules was read from end to end. */
  readonly scanned: number;
}

/** The table, and what is met. */
export function schedulesLines({ seen, stored, scanned }: SchedulesFigures): readonly string[] {
  const { performed, failed, startedAfterS, decidedAfterS } = seen;
  const isInTime = startedAfterS <= STARTED_WITHIN_S;
  const isEach = performed === DUE_AT_ONCE && failed === 0;
  return [
    `\n## ${DUE_AT_ONCE} due in one second, beside ${stored} that are not`,
    ...tableLines(
      ['performed', 'failed', 'all started after, s', 'all decided after, s', 'runs a second'],
      [
        [
          ...[String(performed), String(failed), startedAfterS.toFixed(1)],
          ...[decidedAfterS.toFixed(1), (DUE_AT_ONCE / decidedAfterS).toFixed(0)],
        ],
      ],
    ),
    '',
    `All started within ${STARTED_WITHIN_S} s: ${verdict(isInTime)}`,
    `Each has its payment: ${verdict(isEach)}`,
    `Tables read from end to end: ${scanned}, wanted 0: ${verdict(scanned === 0)}`,
  ];
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED';
}
