import { describe, expect, it } from '@jest/globals';
import { summaryComplaint } from './summary-page.js';

const PAYS = { purpose: 'payment' } as const;
const onSaveTransactionData = () => undefined;

describe('a summary that is asked for', () => {
  it('is none of a form that has none within it, which is told', () => {
    const options = { useSummaryPage: true, callbacks: {} };
    expect(summaryComplaint('PAYPAL', options, PAYS)).toBe(
      'wpwlOptions.useSummaryPage has no effect on PAYPAL without onSaveTransactionData.',
    );
  });

  it.each([
    [
      'the page shows its own',
      { useSummaryPage: true, callbacks: { onSaveTransactionData } },
      PAYS,
    ],
    ['none is wanted', { useSummaryPage: false, callbacks: {} }, PAYS],
    ['nothing is paid', { useSummaryPage: true, callbacks: {} }, { purpose: 'registration' }],
  ] as const)('is not told of where %s', (_why, options, checkout) => {
    expect(summaryComplaint('PAYPAL', options, checkout)).toBeUndefined();
  });
});
