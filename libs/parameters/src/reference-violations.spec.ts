import { describe, expect, it } from '@jest/globals';
import type { Form } from './form.js';
import { checkForm, violations } from './violations.js';
import { formOf, violationsWith } from './violations-fixture.js';

describe('an operation on a transaction', () => {
  const amount = { amount: '10.00', currency: 'EUR' };
  const asked = (parameters: Readonly<Record<string, string>>) =>
    checkForm(formOf(parameters), 'transaction', 'INTERNAL');

  it.each([
    ['CP', 'capture'],
    ['RF', 'refund'],
    ['RB', 'rebill'],
    ['RC', 'receipt'],
    ['CB', 'chargeback'],
    ['CR', 'chargebackReversal'],
  ])('%s is a %s and needs amount and currency (D-30)', (paymentType, operation) => {
    expect(asked({ ...amount, paymentType })).toEqual({
      kind: operation,
      operation,
      violations: [],
    });
    expect(asked({ paymentType }).violations.map(({ name }) => name)).toEqual([
      'amount',
      'currency',
    ]);
  });

  it('RV needs no amount; with one it needs the currency', () => {
    expect(asked({ paymentType: 'RV' })).toMatchObject({ operation: 'reversal', violations: [] });
    expect(asked({ paymentType: 'RV', ...amount }).violations).toEqual([]);
    expect(asked({ paymentType: 'RV', amount: '10' }).violations).toEqual([
      { name: 'currency', message: 'may not be empty' },
    ]);
  });

  const PRACTICE = 'standingInstruction.industryPractice';

  it.each([
    ['INCREMENTAL_AUTH', 'incrementalAuthorization'],
    ['REAUTHORIZATION', 'reauthorization'],
  ])('PA with %s is a %s', (practice, operation) => {
    const further = { paymentType: 'PA', [PRACTICE]: practice };
    expect(asked({ ...amount, ...further })).toMatchObject({ operation, violations: [] });
    expect(asked(further).violations.map(({ name }) => name)).toEqual(['amount', 'currency']);
  });

  it.each([undefined, 'NO_SHOW', 'RESUBMISSION', 'incremental_auth'])(
    'PA that says %s asks for nothing (D-66)',
    (practice) => {
      const said: Record<string, string> = practice === undefined ? {} : { [PRACTICE]: practice };
      const { operation, violations: found } = asked({ ...amount, ...said, paymentType: 'PA' });
      expect(operation).toBeUndefined();
      expect(found).toEqual([
        {
          name: PRACTICE,
          ...(practice !== undefined && { value: practice }),
          message: 'must be INCREMENTAL_AUTH or REAUTHORIZATION for PA on a transaction',
        },
      ]);
    },
  );

  it.each(['DB', 'CD', 'RR', 'cp'])('%j is none', (paymentType) => {
    const { operation, violations: found } = asked({ paymentType, ...amount });
    expect(operation).toBeUndefined();
    expect(found).toMatchObject([
      {
        name: 'paymentType',
        message:
          'must be one of CP, RV, RF, RB, RC, CB, CR, PA, RG; by the id of a registration PA, DB or CD',
      },
    ]);
  });

  it('takes any reason of a chargeback, and nothing else (D-73)', () => {
    const chargeback = { ...amount, paymentType: 'CB' };
    for (const chargebackResultCode of ['000.100.203', '000.100.250', '000.100.211']) {
      expect(asked({ ...chargeback, chargebackResultCode }).violations).toEqual([]);
    }
    for (const chargebackResultCode of ['000.100.110', '000.100.300', '000.100.2']) {
      expect(asked({ ...chargeback, chargebackResultCode }).violations).toHaveLength(1);
    }
  });

  it('ignores what only a new payment has, even a wrong card', () => {
    const parameters = {
      ...amount,
      paymentType: 'RF',
      'card.number': 'x',
      numberOfCaptures: '999',
    };
    expect(asked(parameters).violations).toEqual([]);
  });
});

describe('PA with referenceUuid', () => {
  const increment = {
    amount: '5.00',
    currency: 'EUR',
    paymentType: 'PA',
    referenceUuid: 'fedcba9876543210fedcba9876543210',
    'standingInstruction.industryPractice': 'INCREMENTAL_AUTH',
  };

  it('needs no card (D-33)', () => {
    expect(checkForm(formOf(increment), 'payments', 'INTERNAL')).toEqual({
      kind: 'incrementalAuthorization',
      operation: 'incrementalAuthorization',
      violations: [],
    });
  });

  it('says which practice it wants', () => {
    const form = formOf({ ...increment, 'standingInstruction.industryPractice': 'NO_SHOW' });
    expect(checkForm(form, 'payments', 'INTERNAL').violations).toEqual([
      {
        name: 'standingInstruction.industryPractice',
        value: 'NO_SHOW',
        message: 'must be INCREMENTAL_AUTH or REAUTHORIZATION with referenceUuid',
      },
    ]);
  });

  it('says what else is wrong where the practice is missing', () => {
    const wrong = { amount: 'abc', currency: 'eur', 'standingInstruction.industryPractice': '' };
    const form = formOf({ ...increment, ...wrong });
    const { violations: found, operation } = checkForm(form, 'payments', 'INTERNAL');
    expect(operation).toBeUndefined();
    expect(found.map(({ name }) => name).sort()).toEqual([
      ...['amount', 'currency', 'standingInstruction.industryPractice'],
    ]);
  });

  it('is not for other types', () => {
    const { violations: found, operation } = checkForm(
      formOf({ ...increment, paymentType: 'DB' }),
      'payments',
      'INTERNAL',
    );
    expect(operation).toBeUndefined();
    expect(found).toEqual([
      { name: 'paymentType', value: 'DB', message: 'must be PA with referenceUuid' },
    ]);
  });
});

describe.each(['INCREMENTAL_AUTH', 'REAUTHORIZATION'])('%s', (practice) => {
  const PRACTICE = 'standingInstruction.industryPractice';
  const fault = {
    name: PRACTICE,
    value: practice,
    message: 'needs PA with referenceUuid, or PA on the payment itself',
  };

  it.each([
    ['PA', {}],
    ['DB', {}],
    ['CD', {}],
    ['PA', { 'standingInstruction.source': 'MIT', 'standingInstruction.agreementId': 'A-1' }],
    ['PA', { 'standingInstruction.source': 'CIT' }],
  ])('is nothing that a payment of its own can be: %s %j', (paymentType, more) => {
    expect(violationsWith({ ...more, paymentType, [PRACTICE]: practice })).toEqual([fault]);
  });

  it('is nothing that one by registration can be', () => {
    const registrationId = '0'.repeat(32);
    const asked = { amount: '1.00', currency: 'EUR', registrationId, paymentType: 'PA' };
    const form = formOf({ ...asked, [PRACTICE]: practice });
    expect(checkForm(form, 'payments', 'INTERNAL').violations).toEqual([fault]);
  });

  it('is nothing that a rebill or what is stored can be', () => {
    const rebill = { paymentType: 'RB', amount: '1.00', currency: 'EUR', [PRACTICE]: practice };
    expect(checkForm(formOf(rebill), 'transaction', 'INTERNAL').violations).toEqual([fault]);
    const found = violations(formOf({ [PRACTICE]: practice }), 'registration', 'INTERNAL');
    expect(found).toContainEqual(fault);
  });
});

describe('the end of a sequence', () => {
  const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR' };
  const faultsOf = (form: Form) => checkForm(form, 'transaction', 'INTERNAL').violations;

  it('is FINAL', () => {
    expect(faultsOf(formOf({ ...refund, sequence: 'FINAL' }))).toEqual([]);
  });

  it.each(['final', 'FINAL ', 'LAST', '1'])('is not "%s"', (sequence) => {
    expect(faultsOf(formOf({ ...refund, sequence }))).toEqual([
      { name: 'sequence', value: sequence, message: 'must be FINAL' },
    ]);
  });

  it('means nothing for a new payment', () => {
    expect(violationsWith({ sequence: 'LAST' })).toEqual([]);
  });
});
