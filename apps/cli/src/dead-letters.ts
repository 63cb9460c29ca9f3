import type { Answer } from './answer.js';
import { topicsOfCommands } from './cell-topics.js';
import { type DeadLetter, headerText, readDeadLetters } from './dead-letter-reader.js';
import { failed, usage } from './exit-codes.js';
import { withoutPersonal } from './hidden-data.js';
import { counted } from './progress.js';
import { parkedText, type ParkedLetter, readParked, redriveParked } from './parked-events.js';
import type { Session } from './session.js';
import { instantText, shown, textTable } from './text-table.js';

/** Which dead letters are meant; all when nothing is said. */
export interface LetterFilter {
  /** The topic they come from, with or without `.dead`. */
  readonly topic?: string;
  readonly projection?: string;
}

type Letter = DeadLetter | ParkedLetter;

/** Said after so many; a table of more is not read by anybody. */
const LISTED_MAX = 200;
/**
 * Redriven commands come with a life that ended long ago: clocks of broker and database may differ,
 * and in no case may one be performed (D-17).
 */
const LIFE_OF_THE_DEAD_MS = -24 * 60 * 60 * 1_000;
/** How the reason begins where nobody could read the message as a command: it would only die again. */
const UNREADABLE = 'Undecodable: ';
/** What the copy of a dead letter has beside the original, and what nobody waits for any more. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['deadReason', 'deadOffset', 'replyPartition', 'replyCorrelation', 'timeToLiveMs'],
]);

/** `dead-letters list`. */
export async function listLetters(session: Session, filter: LetterFilter): Promise<Answer> {
  const letters = await readLetters(session, filter);
  const text = textTable(
    letters.slice(-LISTED_MAX),
    [
      { title: 'ID', cell: ({ id }) => id },
      { title: 'SINCE (UTC)', cell: (letter) => instantText(sinceMs(letter)) },
      { title: 'WHAT', cell: whatText },
      { title: 'REASON', cell: ({ reason }) => reason },
    ],
    'There are no dead letters.',
  );
  const more = letters.length - LISTED_MAX;
  const note = more > 0 ? `\n… and ${more} older ones; --json lists them all.` : '';
  return { data: letters.map(summary), text: `${text}${note}` };
}

/** `dead-letters show ID`. */
export async function showLetter(session: Session, id: string): Promise<Answer> {
  const letter = await letterNamed(session, id);
  const content =
    letter.kind === 'parked'
      ? parsed(await parkedText(session, letter))
      : parsed(letter.message.value?.toString('utf8') ?? '');
  const data = { ...summary(letter), ...headersOf(letter), content: withoutPersonal(content) };
  const lines = Object.entries(data)
    .filter(([name]) => name !== 'content')
    .map(([name, value]) => `${`${name}:`.padEnd(18)}${shown(String(value))}`);
  return { data, text: [...lines, JSON.stringify(data.content, undefined, 2)].join('\n') };
}

/** `dead-letters redrive`: dry run unless told. */
export async function redriveLetters(
  session: Session,
  ids: readonly string[],
  { all, execute, ...filter }: LetterFilter & { readonly all?: true; readonly execute?: true },
): Promise<Answer> {
  if (ids.length > 0 === (all === true)) {
    throw usage('Say which: either the ids that "dead-letters list" shows, or --all.');
  }
  const letters = await readLetters(session, filter);
  const chosen = all === true ? letters : ids.map((id) => found(letters, id));
  const dead = chosen.filter((letter): letter is DeadLetter => letter.kind === 'command');
  const commands = dead.filter(isReadable);
  const parked = chosen.filter((letter) => letter.kind === 'parked');
  const event = chosen.find((letter) => letter.kind === 'event');
  if (event !== undefined && all !== true) {
    throw usage(`${event.id} is an event: redrive what projections have parked instead.`);
  }
  const unreadable = dead.find((letter) => !isReadable(letter));
  if (unreadable !== undefined && all !== true) {
    throw usage(
      `${unreadable.id} is no command that could be read, so nothing can be recorded of it.`,
    );
  }
  const streams = new Set(parked.map(({ streamId }) => streamId)).size;
  const steps = [
    ...(commands.length === 0
      ? []
      : [`${counted(commands.length, 'command')} to record as not performed; none is performed.`]),
    ...(streams === 0 ? [] : [`${counted(streams, 'payment')} for reporting to fold again.`]),
  ];
  const counts = { commands: commands.length, payments: streams };
  if (steps.length === 0) return { data: { done: true, ...counts }, text: 'Nothing to redrive.' };
  if (execute !== true) {
    const text = [...steps, 'Nothing was done. Add --execute to do it.'].join('\n');
    return { data: { done: false, ...counts }, text };
  }
  await redriveCommands(session, commands);
  if (parked.length > 0) await redriveParked(session, parked);
  return { data: { done: true, ...counts }, text: [...steps, 'Done.'].join('\n') };
}

function isReadable({ reason }: DeadLetter): boolean {
  return !reason.startsWith(UNREADABLE);
}

async function redriveCommands(session: Session, letters: readonly DeadLetter[]): Promise<void> {
  if (letters.length === 0) return;
  const topicOf = await topicsOfCommands(session);
  const kafka = await session.kafka();
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  session.closeLater(() => producer.disconnect());
  await producer.connect();
  for (const { topic, partition, message } of letters) {
    session.throwIfInterrupted();
    const headers = Object.entries(message.headers ?? {}).filter(([name]) => !LEFT_OUT.has(name));
    await producer.send({
      topic: session.topicPrefix + topicOf(topic, message.key?.toString('utf8') ?? ''),
      messages: [
        {
          // Where it was: behind every other command of its payment.
          partition,
          key: message.key,
          value: message.value,
          headers: {
            ...Object.fromEntries(headers),
            timeToLiveMs: String(LIFE_OF_THE_DEAD_MS),
          },
        },
      ],
    });
  }
}

async function letterNamed(session: Session, id: string): Promise<Letter> {
  if (id.startsWith('parked:')) return found(await readParked(session), id);
  return found(await readDeadLetters(session), id);
}

function found<Found extends Letter>(letters: readonly Found[], id: string): Found {
  const letter = letters.find((one) => one.id === id);
  if (letter === undefined) throw failed(`There is no dead letter ${id}; see "dead-letters list".`);
  return letter;
}

async function readLetters(
  session: Session,
  { topic, projection }: LetterFilter,
): Promise<readonly Letter[]> {
  if (topic !== undefined && projection !== undefined) {
    throw usage('Either --topic or --projection: dead letters are in one or the other.');
  }
  const letters: Letter[] = [];
  if (projection === undefined) {
    const wanted = topic?.replace(/\.dead$/, '');
    const dead = await readDeadLetters(session);
    letters.push(...dead.filter((letter) => wanted === undefined || letter.topic === wanted));
  }
  if (topic === undefined) {
    const parked = await readParked(session);
    letters.push(
      ...parked.filter((one) => projection === undefined || one.projection === projection),
    );
  }
  return letters.sort((left, right) => sinceMs(left) - sinceMs(right));
}

function sinceMs(letter: Letter): number {
  return letter.kind === 'parked' ? letter.parkedAt.getTime() : letter.diedAtMs;
}

function whatText(letter: Letter): string {
  if (letter.kind !== 'parked') return `${letter.kind} ${letter.type}`;
  const again = letter.redriveRequestedAt === null ? '' : ', redrive asked for';
  return `event ${letter.version} of ${letter.streamId}${again}`;
}

function summary(letter: Letter): object {
  const since = new Date(sinceMs(letter)).toISOString();
  if (letter.kind === 'parked') {
    const { parkedAt: _, redriveRequestedAt, ...rest } = letter;
    return { ...rest, since, redriveRequestedAt: redriveRequestedAt?.toISOString() ?? null };
  }
  const { message: _, diedAtMs: __, ...rest } = letter;
  return { ...rest, since };
}

/** The original's offset and ids; never all headers, since a future one may hold anything. */
function headersOf(letter: Letter): object {
  if (letter.kind === 'parked') return {};
  const { headers } = letter.message;
  const names = ['id', 'schemaVersion', 'correlationId', 'causationId', 'deadOffset'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headerText(headers, name);
      return value === undefined ? [] : [[name === 'id' ? 'messageId' : name, value]];
    }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // It may be what made it die, and nobody knows what is in it.
    return `(${text.length} characters that are not JSON)`;
  }
}
