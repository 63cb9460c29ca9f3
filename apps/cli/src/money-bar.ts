import type { Totals } from '@sluice/domain-payments';
import { isoDecimal } from '@sluice/money';
import type { Currency } from '@sluice/money';

/** How the authorized money of a payment is divided, from left to right. */
const parts = [
  { mark: '█', label: 'kept', of: kept },
  { mark: '▓', label: 'refunded', of: ({ refunded }: Totals): bigint => refunded },
  { mark: '!', label: 'charged back', of: ({ chargedBack }: Totals): bigint => chargedBack },
  { mark: '×', label: 'given back', of: ({ reversed }: Totals): bigint => reversed },
  { mark: '░', label: 'open', of: open },
] as const;

const WIDTH = 40n;

/** One line: a bar of 40 cells and what its marks stand for. Empty where nothing was authorized. */
export function moneyBar(totals: Totals, currency: Currency): string {
  const present = parts
    .map(({ mark, label, of }) => ({ mark, label, minor: of(totals) }))
    .filter(({ minor }) => minor > 0n);
  const sum = present.reduce((total, { minor }) => total + minor, 0n);
  if (sum === 0n) return '';
  let before = 0n;
  const cells = present.map(({ mark, minor }) => {
    const from = (before * WIDTH) / sum;
    before += minor;
    // Something is shown of everything that is there, however little it is.
    return mark.repeat(Math.max(1, Number((before * WIDTH) / sum - from)));
  });
  const legend = present.map(
    ({ mark, label, minor }) => `${mark} ${label} ${isoDecimal({ minor, currency })}`,
  );
  return `[${cells.join('')}]  ${legend.join('  ')}`;
}

/** What the merchant has: captured less what went back to the shopper. */
function kept({ captured, refunded, chargedBack }: Totals): bigint {
  return captured - refunded - chargedBack;
}

/** What may still be captured. */
function open({ authorized, captured, reversed }: Totals): bigint {
  return authorized - captured - reversed;
}
