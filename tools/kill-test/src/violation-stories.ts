import type { MerchantRequest, Violation } from './records.js';
import type { StoredRecord } from './topic-side.js';

const STORIES_MAX = 5;
const DATE_LENGTH = 'yyyy-MM-ddT'.length;

/** One thing that happened, when it did. */
interface Happening {
  readonly atMs: number;
  readonly text: string;
}

/**
 * What happened to the subjects of the first violations, a line each, in the order of time: what their
 * merchant was answered and what was recorded of their payments. Where the machine is gone there is
 * nothing else that explains them.
 */
export function violationStories(
  violations: readonly Violation[],
  merchant: readonly MerchantRequest[],
  store: readonly StoredRecord[],
): readonly string[] {
  const subjects = [...new Set(violations.map(({ subject }) => subject))].slice(0, STORIES_MAX);
  return subjects.flatMap((subject) => {
    const happenings = [...answersTo(subject, merchant), ...recordedOf(subject, store)];
    happenings.sort((left, right) => left.atMs - right.atMs);
    const lines = happenings.map(({ atMs, text }) => `  ${timeText(atMs)}  ${text}`);
    return lines.length === 0 ? [] : [subject, ...lines];
  });
}

function answersTo(subject: string, merchant: readonly MerchantRequest[]): Happening[] {
  return merchant.flatMap(({ reference, attempts }) =>
    attempts.flatMap((attempt) => {
      if (attempt.kind !== 'answered') return [];
      const { id, sentAtMs, answeredAtMs, status, code } = attempt;
      if (id !== subject && reference !== subject) return [];
      const answer = `${reference} is answered HTTP ${status} ${code}`;
      return [
        ...(sentAtMs === undefined ? [] : [{ atMs: sentAtMs, text: `${reference} is sent` }]),
        ...(answeredAtMs === undefined ? [] : [{ atMs: answeredAtMs, text: answer }]),
      ];
    }),
  );
}

/** The whole payment: its transactions depend on each other. */
function recordedOf(subject: string, store: readonly StoredRecord[]): Happening[] {
  const isSubject = ({ streamId, transactionId }: StoredRecord): boolean =>
    streamId === subject || transactionId === subject;
  const streams = new Set(store.filter(isSubject).map(({ streamId }) => streamId));
  return store
    .filter(({ streamId }) => streams.has(streamId))
    .map(({ recordedAt, database, version, type, transactionId, resultCode, reason }) => {
      const details = [transactionId, resultCode, reason].filter((each) => each !== null);
      const place = `database ${String(database)}, version ${String(version)}`;
      return { atMs: recordedAt.getTime(), text: `${place}: ${[type, ...details].join(' ')}` };
    });
}

function timeText(atMs: number): string {
  return new Date(atMs).toISOString().slice(DATE_LENGTH, -1);
}
