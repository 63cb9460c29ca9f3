import { describe, expect, it } from '@jest/globals';
import {
  approved,
  given,
  id,
  initiate,
  metadata,
  NOON_MS,
  outcome,
  refer,
  requested,
} from './payment-fixture.js';
import { type AgreedTerms, agreedTermsOf, brokenTerm } from './standing-instruction-terms.js';

const DAY_MS = 86_400_000;
const BROKEN = '600.200.501';

const agreed = (terms: Readonly<Record<string, string>>, mode = 'INITIAL') =>
  Object.fromEntries(
    Object.entries({ mode, ...terms }).map(([name, value]) => [
      `standingInstruction.${name}`,
      value,
    ]),
  );

/** A debit at noon of 2026-01-15 that begins an agreement with these terms. */
const begun = (terms: Readonly<Record<string, string>>, mode?: string) =>
  approved(initiate('debit', 10_000, { parameters: agreed(terms, mode) }));

/** A rebill so many days after the debit. */
const rebill = (number: number, days: number) =>
  refer('rebill', id(number), id(1), {
    minor: 500,
    metadata: { ...metadata, recordedAtMs: NOON_MS + days * DAY_MS },
  });

describe('an agreement with an end', () => {
  const first = begun({ expiry: '2026-01-16' });

  it('takes a rebill until the day has ended everywhere', () => {
    given(...first)
      .when(rebill(2, 2 - 1 / DAY_MS))
      .then(requested);
  });

  it('takes none afterwards, and says why', () => {
    given(...first)
      .when(rebill(2, 2))
      .then({
        type: 'TransactionRejected',
        data: {
          resultCode: BROKEN,
          resultDescription:
            'invalid recurring payment data or configuration - expiry of the first payment',
        },
      });
  });
});

describe('an agreement of three installments', () => {
  const first = begun({ numberOfInstallments: '3' });
  const second = approved(rebill(2, 1));

  it('takes two rebills after the first payment, and no third', () => {
    given(...first, ...second)
      .when(rebill(3, 2))
      .then(requested);
    given(...first, ...second, ...approved(rebill(3, 2)))
      .when(rebill(4, 3))
      .thenRejected(BROKEN);
  });

  it.each(['declined', 'notPerformed'] as const)('does not count one that was %s', (kind) => {
    given(...first, ...second, rebill(3, 2), outcome(id(3), kind))
      .when(rebill(4, 3))
      .then(requested);
  });

  it('does not count one that was refused', () => {
    const wrong = refer('rebill', id(3), id(1), { minor: 500, rejection: '100.550.303' });
    given(...first, ...second, wrong)
      .when(rebill(4, 3))
      .then(requested);
  });

  it.each(['pending', 'unknown'] as const)('counts one that is %s, until it is known', (kind) => {
    const third = [rebill(3, 2), outcome(id(3), kind)];
    given(...first, ...second, ...third)
      .when(rebill(4, 3))
      .thenRejected(BROKEN);
    given(...first, ...second, ...third, outcome(id(3), 'declined'))
      .when(rebill(4, 3))
      .then(requested);
  });

  it('counts two that are asked for at the same time', () => {
    given(...first, ...second, rebill(3, 2))
      .when(rebill(4, 2))
      .thenRejected(BROKEN);
  });

  it('counts the authorization that was captured once', () => {
    const parameters = agreed({ numberOfInstallments: '2' });
    const captured = [
      ...approved(initiate('authorization', 10_000, { parameters })),
      ...approved(refer('capture', id(2), id(1), 10_000)),
    ];
    const again = (number: number) => refer('rebill', id(number), id(2), 500);
    given(...captured)
      .when(again(3))
      .then(requested);
    given(...captured, ...approved(again(3)))
      .when(again(4))
      .thenRejected(BROKEN);
  });
});

describe('an agreement of 30 days between', () => {
  const first = begun({ frequency: '0030' });

  it('takes a rebill on the thirtieth day, however early on it', () => {
    given(...first)
      .when(rebill(2, 29.5))
      .then(requested);
    given(...first)
      .when(rebill(2, 29.49))
      .thenRejected(BROKEN);
  });

  it('counts from the latest that was authorized', () => {
    const second = approved(rebill(2, 30));
    given(...first, ...second)
      .when(rebill(3, 59))
      .thenRejected(BROKEN);
    given(...first, ...second)
      .when(rebill(3, 60))
      .then(requested);
    given(...first, rebill(2, 30), outcome(id(2), 'declined'))
      .when(rebill(3, 31))
      .then(requested);
  });
});

describe('a payment that begins no agreement', () => {
  const terms = { expiry: '2026-01-01', numberOfInstallments: '1', frequency: '0030' };

  it('binds no rebill, whatever it says', () => {
    given(...begun(terms, 'REPEATED'))
      .when(rebill(2, 1))
      .then(requested);
    expect(agreedTermsOf({})).toEqual({});
  });

  it('is not bound by what it did not say', () => {
    given(...begun({}))
      .when(rebill(2, 0))
      .then(requested);
  });
});

describe('the term that is broken', () => {
  const terms: AgreedTerms = { expiry: '2026-01-10', authorizationsMax: 1n, frequencyDays: 2n };
  const { expiry: _, ...endless } = terms;

  it('is the end, then the number, then the days between', () => {
    expect(brokenTerm(terms, [NOON_MS], NOON_MS)).toBe('expiry');
    expect(brokenTerm(endless, [NOON_MS], NOON_MS)).toBe('numberOfInstallments');
    expect(brokenTerm({ frequencyDays: 2n }, [NOON_MS, 0], NOON_MS)).toBe('frequency');
  });

  it('is none of what has not been authorized at all', () => {
    expect(brokenTerm(endless, [], NOON_MS)).toBeUndefined();
  });
});
