import type { Condition } from '@sluice/domain-risk';
import { type AmountText, fromMessage, isoDecimal } from '@sluice/money';
import { counted } from './progress.js';

/** When a rule holds, in a few words. */
export function conditionText(when: Condition): string {
  switch (when.kind) {
    case 'amount':
      return [
        ...(when.above === undefined ? [] : [`amount above ${amountText(when.above)}`]),
        ...(when.below === undefined ? [] : [`amount below ${amountText(when.below)}`]),
      ].join(' and ');
    case 'velocity': {
      const which = when.counts === 'all' ? 'payments' : `${when.counts} payments`;
      const limits = [
        ...(when.atMost === undefined ? [] : [`more than ${when.atMost} ${which}`]),
        ...(when.atMostSum === undefined
          ? []
          : [`more than ${amountText(when.atMostSum)} of ${which}`]),
      ].join(' or ');
      return `${limits} by ${when.by} within ${minutesText(when.withinMinutes)}`;
    }
    case 'history': {
      const { atLeast = 0, atMost, had, by } = when;
      const what = had === 'payments' ? had : `${PAST[had]} payments`;
      if (atMost === 0) return `no ${what} by ${by} before`;
      const most = atMost === undefined ? [] : [`at most ${atMost}`];
      const limits = [...(atLeast > 0 ? [`at least ${atLeast}`] : []), ...most];
      return `${limits.join(' and ')} ${what} by ${by} before`;
    }
    case 'list':
      return `${when.by} is one of ${counted(when.values.length, 'value')}`;
    case 'countriesDiffer':
      return `${when.between.join(' and ')} countries differ`;
    case 'proxy':
      return 'the address is of a proxy';
    case 'timeOfDay':
      return `${clockText(when.fromMinute)} to ${clockText(when.untilMinute)} in ${when.timeZone}`;
    case 'expression':
      return JSON.stringify(when.expression);
    case 'scored':
      return 'its scorer says so';
    case 'checks':
      return [
        ...(when.avs === undefined ? [] : [`AVS is ${when.avs.join(' or ')}`]),
        ...(when.cvv === undefined ? [] : [`CVV is ${when.cvv.join(' or ')}`]),
      ].join(' and ');
  }
}

const PAST = { approved: 'approved', declined: 'declined', chargedBack: 'charged back' };

/** Minutes as files of rules write them: `90m`, `24h`, `7d`. */
export function minutesText(minutes: number): string {
  if (minutes % DAY_MINUTES === 0) return `${minutes / DAY_MINUTES}d`;
  return minutes % HOUR_MINUTES === 0 ? `${minutes / HOUR_MINUTES}h` : `${minutes}m`;
}

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

function amountText(said: AmountText): string {
  const amount = fromMessage(said);
  return `${isoDecimal(amount)} ${amount.currency}`;
}

function clockText(minuteOfDay: number): string {
  const parts = [Math.floor(minuteOfDay / HOUR_MINUTES), minuteOfDay % HOUR_MINUTES];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
