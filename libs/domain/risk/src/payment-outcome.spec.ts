import { describe, expect, it } from '@jest/globals';
import { paymentEvents } from '@sluice/contracts';
import {
  outcomeFields,
  type PaymentOutcome,
  paymentOutcome,
  type PaymentStep,
} from './payment-outcome.js';

const ID = '01a200455885ed5bf7da20fccea873d4';
const OTHER = '01a200455885ed5bf7da20fccea873d5';

function step(type: PaymentStep['type'], data: object = {}): PaymentStep {
  return { type, data: { transactionId: ID, ...data } } as unknown as PaymentStep;
}
const euros = (minor: string) => ({ transactionId: OTHER, amount: { minor, currency: 'EUR' } });
const requested = (operation: string, minor: string) =>
  step('TransactionRequested', { ...euros(minor), operation });
/** Whoever reads no more than he needs finds the same. */
function of(...steps: readonly PaymentStep[]): PaymentOutcome {
  const found = paymentOutcome(ID, steps);
  const { assessment: _, ...ofFields } = paymentOutcome(ID, steps.flatMap(withFieldsAlone));
  expect(found).toMatchObject(ofFields);
  return found;
}
function withFieldsAlone({ type, data }: PaymentStep): readonly PaymentStep[] {
  if (!(type in outcomeFields)) return [];
  const fields: readonly string[] = outcomeFields[type as keyof typeof outcomeFields];
  const kept = Object.entries(data).filter(([name]) => [...fields, 'transactionId'].includes(name));
  return [step(type, Object.fromEntries(kept))];
}
const INITIATED = step('PaymentInitiated', { amount: { minor: '500', currency: 'EUR' } });
const REVIEW = step('RiskAssessed', { decision: 'review', score: 1 });

describe('what became of a payment', () => {
  it.each<[PaymentStep['type'], string]>([
    ['TransactionApproved', 'approved'],
    ['TransactionDeclined', 'declined'],
    ['TransactionRejected', 'ended'],
    ['TransactionNotPerformed', 'ended'],
    ['UnknownTransactionReversed', 'ended'],
  ])('is said by its first transaction: %s', (type, outcome) => {
    expect(of(INITIATED, step(type)).outcome).toBe(outcome);
    expect(of(INITIATED, step(type, { transactionId: OTHER })).outcome).toBe('open');
  });

  it('is open as long as nobody has said it', () => {
    const silent = Object.keys(paymentEvents).filter(
      (type) =>
        !/Approved|Declined|Rejected|NotPerformed|Reversed|Chargeback|StandaloneCompleted/.test(
          type,
        ),
    ) as PaymentStep['type'][];
    const amount = { minor: '500', currency: 'EUR' };
    expect(of(...silent.map((type) => step(type, { amount })))).toMatchObject({
      ...{ outcome: 'open', chargedBack: false, isUnderReview: false, isGivenBack: false },
    });
  });

  it('is no decline where the rules did not want the approval', () => {
    const refused = step('RiskAssessed', { decision: 'reject', score: 1 });
    const late = step('LateApprovalReceived');
    expect(of(refused, step('TransactionDeclined'), late).outcome).toBe('ended');
  });

  it.each([
    ['cancelled, or never answered', false, 'ended'],
    ['passed', true, 'declined'],
  ])('is no decline of an acquirer where a challenge was not passed: %s', (_, goesOn, outcome) => {
    const pending = step('AuthenticationPending');
    const completed = step('AuthenticationCompleted', { goesOn });
    const asked = goesOn ? [step('AuthorizationRequested')] : [];
    const declined = step('TransactionDeclined', { resultCode: '100.380.401' });
    expect(of(INITIATED, pending, completed, ...asked, declined).outcome).toBe(outcome);
    // The issuer has asked for it, and not said no for good.
    const soft = step('AuthenticationPending', { decline: { resultCode: '300.100.100' } });
    const after = [step('AuthorizationRequested'), soft, completed, ...asked, declined];
    expect(of(INITIATED, ...after).outcome).toBe(outcome);
  });

  it('is charged back as long as the issuer has not given all of it back again', () => {
    const taken = step('ChargebackReceived', euros('500'));
    const part = step('ChargebackReversed', euros('200'));
    const rest = step('ChargebackReversed', euros('300'));
    const approved = step('TransactionApproved');
    expect(of(approved, taken)).toMatchObject({ outcome: 'approved', chargedBack: true });
    expect(of(approved, taken, part).chargedBack).toBe(true);
    expect(of(approved, taken, part, rest).chargedBack).toBe(false);
  });

  it('is under review from the approval on, until somebody has decided', () => {
    expect(of(REVIEW).isUnderReview).toBe(false);
    expect(of(REVIEW, step('TransactionApproved'))).toMatchObject({
      ...{ isUnderReview: true, assessment: { decision: 'review' } },
    });
    const decided = step('ReviewDecided', { decision: 'released' });
    expect(of(REVIEW, step('TransactionApproved'), decided).isUnderReview).toBe(false);
    expect(of(step('TransactionApproved')).isUnderReview).toBe(false);
  });

  it('is no good one where somebody did not want it', () => {
    const decided = (decision: string) => step('ReviewDecided', { decision });
    const approved = [REVIEW, step('TransactionApproved')] as const;
    const given = [
      requested('reversal', '500'),
      step('TransactionApproved', { transactionId: OTHER }),
    ];
    expect(of(...approved, decided('rejected'))).toMatchObject({
      ...{ outcome: 'ended', isUnderReview: false, isRejectedByReview: true, isGivenBack: false },
    });
    expect(of(...approved, decided('rejected'), ...given).outcome).toBe('ended');
    expect(of(...approved, decided('released'))).toMatchObject({
      ...{ outcome: 'approved', isRejectedByReview: false },
    });
  });

  it('has nothing to decide once all of it was given back', () => {
    const approved = [...[INITIATED, REVIEW, step('TransactionApproved')]];
    const back = (minor: string, outcome: PaymentStep['type'] = 'TransactionApproved') => [
      ...[requested('refund', minor), step(outcome, { transactionId: OTHER })],
    ];
    const open = { isUnderReview: true, isGivenBack: false };
    expect(of(...approved, requested('reversal', '500'))).toMatchObject(open);
    expect(of(...approved, ...back('500', 'TransactionDeclined'))).toMatchObject(open);
    expect(of(...approved, ...back('200'))).toMatchObject(open);
    expect(of(...approved, requested('capture', '500'), ...back('200'))).toMatchObject(open);
    expect(of(...approved, ...back('200'), ...back('300'))).toMatchObject({
      ...{ outcome: 'approved', isUnderReview: false, isGivenBack: true },
    });
  });
});
