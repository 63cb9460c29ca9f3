import type { Holder } from './data-folder.js';

/** What a start found that was not ended in order; undefined when there was nothing. */
export interface UncleanStop {
  readonly before: Holder | undefined;
  /** The database had to replay its log. */
  readonly recovered: boolean;
  /** Payments without a final outcome. */
  readonly openAtStart: number;
}

/** One sentence for the console. */
export function recoveryLine({ before, recovered, openAtStart }: UncleanStop): string | undefined {
  if (before === undefined && !recovered) return undefined;
  const who = before === undefined ? '' : ` of process ${before.pid}`;
  const rest =
    openAtStart === 0
      ? 'no payment was left open'
      : `${openAtStart} payments without a final outcome are being settled`;
  return `Recovered from an unclean stop${who}; ${rest}.`;
}
