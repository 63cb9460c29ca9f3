import { describe, expect, it } from '@jest/globals';
import { Execution } from '@sluice/messaging';
import { DuplicateCommands, type UsedKey } from './duplicate-commands.js';

const id = 'transaction-1';
const claim = { kind: 'alreadyClaimed', claim: 'transaction' } as const;
const told = ({ fingerprint, answer, reply }: UsedKey<string>): string =>
  `${fingerprint} ${answer} ${reply}`;

/** Duplicates over a stream that has the outcome after so many looks; undefined: never. */
function duplicates(outcomeAfterLooks: number | undefined) {
  const waitedMs: number[] = [];
  const asked: string[] = [];
  const recorded = {
    replyFor: (transactionId: string) => {
      asked.push(transactionId);
      const isOver = outcomeAfterLooks !== undefined && waitedMs.length >= outcomeAfterLooks;
      return Promise.resolve(isOver ? 'approved' : 'under way');
    },
    isUnderWay: (reply: string) => reply === 'under way',
  };
  const wait = (ms: number): Promise<void> => {
    waitedMs.push(ms);
    return Promise.resolve();
  };
  return { duplicates: new DuplicateCommands<string>(recorded, wait), waitedMs, asked };
}

function finished(handled: string | Execution<string>): Promise<string> {
  if (!(handled instanceof Execution)) throw new Error('answered at once');
  return handled.run();
}

describe('a command that was delivered again while its transaction is under way', () => {
  it('waits for the outcome of the instance that began it', async () => {
    const { duplicates: waiting, waitedMs } = duplicates(3);
    expect(await finished(await waiting.replyTo(claim, id, told))).toBe('approved');
    expect(waitedMs).toEqual([100, 100, 100]);
  });

  it('is told that it is under way when there is none for three seconds', async () => {
    const { duplicates: waiting, waitedMs } = duplicates(undefined);
    expect(await finished(await waiting.replyTo(claim, id, told))).toBe('under way');
    expect(waitedMs.reduce((sum, ms) => sum + ms)).toBe(3_000);
  });
});

describe('a command that comes again after its transaction', () => {
  it('is answered at once', async () => {
    const { duplicates: over, waitedMs } = duplicates(0);
    expect(await over.replyTo(claim, id, told)).toBe('approved');
    expect(waitedMs).toEqual([]);
  });

  it('under the same idempotency key gets the first answer, and no wait', async () => {
    const { duplicates: keyed, waitedMs, asked } = duplicates(undefined);
    const taken = {
      ...({ kind: 'alreadyClaimed', claim: 'idempotency' } as const),
      ...{ fingerprint: 'print', transactionId: id, answer: 'first' },
    };
    expect(await keyed.replyTo(taken, 'transaction-2', told)).toBe('print first under way');
    expect(asked).toEqual([id]);
    expect(waitedMs).toEqual([]);
  });
});
