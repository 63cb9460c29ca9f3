import type { SecretsMade } from './secrets.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Time enough to look for an hour in which Kafka may be restarted. */
const SOON_DAYS = 30;

/** What was done, in a few lines and without a secret. */
export function summaryOf(path: string, done: SecretsMade, now: Date): string {
  const { kept, made, renewed, ends } = done;
  const counts = [`${made} made`, `${renewed} renewed`, `${kept} kept`].join(', ');
  const lines = [`${path}: ${counts}.`];
  if (ends === undefined) {
    lines.push('They are worthless: the overlay can be rendered with them, and nothing can run.');
  } else {
    lines.push(
      `The first certificate, of ${ends.firstOwner}, ends on ${dayOf(ends.first)}; ` +
        `the authorities end on ${dayOf(ends.authority)}.`,
    );
    if (ends.first.getTime() - now.getTime() < SOON_DAYS * DAY_MS) {
      lines.push(`Renew it: npm run k8s:secrets -- --renew ${ends.firstOwner} (or --renew all).`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
