import type { BinTable } from '@sluice/answers';
import type { AttemptStanding, TransactionOutcome } from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import type { Clock } from '@sluice/service';
import type { AdmittedRequest } from './access-guard.js';
import type { Answer } from './answer.js';
import type { CancellableDelays } from './cancellable-delays.js';
import { shopperAnswer } from './checkout-answer.js';
import { findTransaction } from './find-transaction.js';
import { readAnswer } from './payment-answer.js';
import type { QueryClient } from './query-client.js';

/** What they are told with. */
export interface AttemptStandingsParts {
  readonly queries: QueryClient;
  readonly bins: BinTable;
  readonly delays: Pick<CancellableDelays, 'wait' | 'ended'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** A browser shows its own page for so long; payments that are not pending are decided by then. */
const WAIT_MAX_MS = 20_000;
const LOOK_AGAIN_MS = 300;

/** What is told of the attempt that is in the place of another one. */
export class AttemptStandings {
  constructor(private readonly parts: AttemptStandingsParts) {}

  /**
   * What checkouts knows of it. Whoever looks at the browser's own window has pressed twice, and sees this
   * answer alone: it waits for where the first one leads to, such as the shopper's bank.
   */
  async answer(
    admitted: AdmittedRequest,
    { transactionId: id, resultCode }: AttemptStanding,
    isNavigation: boolean,
  ): Promise<Answer> {
    const known = shopperAnswer({ id, resultCode }, admitted.stamp);
    if (!isNavigation) return known;
    const { queries, bins, delays, clock } = this.parts;
    const { publicUrl, stamp } = admitted;
    const untilMs = clock.monotonicMs() + WAIT_MAX_MS;
    for (;;) {
      const found = await findTransaction(queries, admitted, id);
      const isUnderWay = found === undefined ? resultCode === codes.pending : isRequested(found);
      if (found !== undefined && !isUnderWay) {
        return readAnswer({ ...found, publicUrl, outcome: found }, stamp, bins);
      }
      if (!isUnderWay || delays.ended || clock.monotonicMs() >= untilMs) return known;
      await delays.wait(LOOK_AGAIN_MS);
    }
  }
}

/** Of all else, such as what is pending at a bank, it is known where the shopper goes. */
function isRequested({ status }: Pick<TransactionOutcome, 'status'>): boolean {
  return status === 'requested' || status === 'unknown';
}
