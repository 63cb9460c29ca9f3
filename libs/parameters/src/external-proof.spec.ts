import { describe, expect, it } from '@jest/globals';
import { indicatorOfAnotherOutcome } from './external-proof.js';
import type { Form } from './form.js';
import { parseForm } from './form-parser.js';

function formOf(sent: Readonly<Record<string, string>>): Form {
  const parsed = parseForm(new URLSearchParams(sent).toString());
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return parsed.form;
}

const STATUSES = ['Y', 'A', 'N', 'U'] as const;
const INDICATORS = ['01', '02', '03', '04', '05', '06', '07', '08'] as const;

/** The statuses with which an indicator is taken. */
function takenWith(brand: string, eci: string): string {
  return STATUSES.filter((status) => {
    const found = { 'threeDSecure.authenticationStatus': status, 'threeDSecure.eci': eci };
    return !indicatorOfAnotherOutcome.holds(formOf({ paymentBrand: brand, ...found }));
  }).join('');
}

const table = (brand: string) =>
  Object.fromEntries(INDICATORS.map((eci) => [eci, takenWith(brand, eci)]));

describe('the indicator of an external server', () => {
  it.each(['VISA', 'VISAELECTRON', 'AMEX', 'DINERS', 'DISCOVER', 'JCB'])('of %s', (brand) => {
    expect(table(brand)).toEqual({
      ...{ '01': '', '02': '', '03': 'YANU', '04': 'YANU' },
      ...{ '05': 'Y', '06': 'A', '07': 'YANU', '08': 'YANU' },
    });
  });

  it.each(['MASTER', 'MAESTRO', 'UNIONPAY'])('of %s', (brand) => {
    expect(table(brand)).toEqual({
      ...{ '01': 'A', '02': 'Y', '03': 'YANU', '04': 'YANU' },
      ...{ '05': '', '06': 'YANU', '07': 'YANU', '08': 'YANU' },
    });
  });

  it.each(['MADA', 'GOOGLEPAY', 'constructor'])('of %s is the acquirer’s', (brand) => {
    for (const eci of INDICATORS) expect(takenWith(brand, eci)).toBe('YANU');
  });

  it('alone agrees with everything', () => {
    const alone = formOf({ paymentBrand: 'VISA', 'threeDSecure.eci': '02' });
    expect(indicatorOfAnotherOutcome.holds(alone)).toBe(false);
  });
});
