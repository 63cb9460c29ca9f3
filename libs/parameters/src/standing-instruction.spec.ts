import { describe, expect, it } from '@jest/globals';
import { parseForm } from './form-parser.js';
import type { Form } from './form.js';
import type { Kind } from './kinds.js';
import {
  impliedParameters,
  migratedAgreement,
  oneClickAgreement,
  standingInstructionRejection,
  termsOf,
} from './standing-instruction.js';
import { stored } from './stored.js';
import { violations } from './violations.js';

type Parameters = Readonly<Record<string, string>>;

/** 2026-01-15T11:59:59.999Z, when it is still the 14th at the last place on earth. */
const BEFORE_NOON_MS = Date.UTC(2026, 0, 15, 12) - 1;

function formOf(parameters: Parameters): Form {
  const parsed = parseForm(new URLSearchParams(parameters).toString());
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return parsed.form;
}

function agreed(fields: Parameters): Form {
  const entries = Object.entries(fields);
  return formOf(Object.fromEntries(entries.map(([n, v]) => [`standingInstruction.${n}`, v])));
}

const types = ['UNSCHEDULED', 'INSTALLMENT', 'RECURRING'];

describe('a standing instruction', () => {
  it.each(types)('of type %s is INITIAL by the shopper, and REPEATED by either', (type) => {
    for (const [mode, source] of [
      ['INITIAL', 'CIT'],
      ['REPEATED', 'CIT'],
      ['REPEATED', 'MIT'],
    ] as const) {
      expect(
        standingInstructionRejection(agreed({ type, mode, source }), BEFORE_NOON_MS),
      ).toBeUndefined();
    }
    const byMerchant = agreed({ type, mode: 'INITIAL', source: 'MIT' });
    expect(standingInstructionRejection(byMerchant, BEFORE_NOON_MS)).toEqual({
      code: '100.900.500',
      description: 'invalid recurrence mode - the first payment of an agreement is a CIT',
    });
  });

  it.each([{ mode: 'INITIAL' }, { mode: 'REPEATED' }, { source: 'CIT' }, { source: 'MIT' }, {}])(
    'may leave out what it likes: %j',
    (said: Parameters) => {
      expect(standingInstructionRejection(agreed(said), BEFORE_NOON_MS)).toBeUndefined();
    },
  );

  const practices = [
    ...['INCREMENTAL_AUTH', 'RESUBMISSION', 'REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW'],
  ];

  it.each(practices)(
    'has the reason %s where the merchant initiates, or nobody says who',
    (why) => {
      for (const said of [{}, { source: 'MIT' }, { mode: 'REPEATED' }]) {
        const form = agreed({ ...said, industryPractice: why });
        expect(standingInstructionRejection(form, BEFORE_NOON_MS)).toBeUndefined();
      }
      for (const said of [{ source: 'CIT' }, { mode: 'INITIAL' }]) {
        const form = agreed({ ...said, industryPractice: why });
        expect(standingInstructionRejection(form, BEFORE_NOON_MS)).toEqual({
          code: '100.900.500',
          description: `invalid recurrence mode - industryPractice ${why} is of REPEATED and MIT`,
        });
      }
    },
  );

  it.each(['RESUBMISSION', 'DELAYED_CHARGES', 'NO_SHOW'])(
    'that is made for %s is REPEATED and MIT, whatever else is left out',
    (why) => {
      const implied = [
        ['standingInstruction.mode', 'REPEATED'],
        ['standingInstruction.source', 'MIT'],
      ];
      const impliedBeside = (said: Parameters, kind: Kind = 'payment') =>
        impliedParameters(agreed({ ...said, industryPractice: why }), kind);
      expect(impliedBeside({})).toEqual(implied);
      expect(impliedBeside({ type: 'RECURRING' })).toEqual(implied);
      expect(impliedBeside({ mode: 'REPEATED' })).toEqual(implied.slice(1));
      expect(impliedBeside({ source: 'MIT' })).toEqual(implied.slice(0, 1));
      expect(impliedBeside({ source: 'CIT' })).toEqual([]);
      expect(impliedBeside({ mode: 'INITIAL' })).toEqual([]);
      // Nothing is charged then.
      expect(impliedBeside({}, 'registration')).toEqual([]);
      expect(impliedBeside({}, 'incrementalAuthorization')).toEqual([]);
    },
  );

  const refusedName = {
    code: '100.900.500',
    description: 'invalid recurrence mode - initialTransactionId is of REPEATED',
  };

  it.each([{ mode: 'INITIAL' }, { mode: 'INITIAL', source: 'CIT' }])(
    'that begins with %j names no earlier payment: its own answer gives the name',
    (said: Parameters) => {
      const named = agreed({ ...said, initialTransactionId: 'acq-1' });
      expect(standingInstructionRejection(named, BEFORE_NOON_MS)).toEqual(refusedName);
      // A name of its own is the merchant's to give.
      const called = agreed({ ...said, agreementId: 'A-1' });
      expect(standingInstructionRejection(called, BEFORE_NOON_MS)).toBeUndefined();
    },
  );

  it.each([
    { source: 'CIT' },
    { mode: 'REPEATED' },
    { mode: 'REPEATED', source: 'CIT' },
    { mode: 'REPEATED', source: 'MIT' },
    {},
  ])('that goes on with %j may name it', (said: Parameters) => {
    const named = agreed({ ...said, initialTransactionId: 'acq-1' });
    expect(standingInstructionRejection(named, BEFORE_NOON_MS)).toBeUndefined();
  });

  it('that begins in the legacy word names none either, and has no reason of the merchant', () => {
    const legacy = (name: string, value: string) =>
      standingInstructionRejection(
        formOf({ recurringType: 'INITIAL', [`standingInstruction.${name}`]: value }),
        BEFORE_NOON_MS,
      );
    expect(legacy('initialTransactionId', 'acq-1')).toEqual(refusedName);
    expect(legacy('agreementId', 'A-1')).toBeUndefined();
    expect(legacy('industryPractice', 'NO_SHOW')?.code).toBe('100.900.500');
  });

  it('ends when its last day is over everywhere on earth', () => {
    const form = agreed({ mode: 'REPEATED', expiry: '2026-01-14' });
    expect(standingInstructionRejection(form, BEFORE_NOON_MS)).toBeUndefined();
    expect(standingInstructionRejection(form, BEFORE_NOON_MS + 1)).toEqual({
      code: '600.200.501',
      description: 'invalid recurring payment data or configuration - expiry 2026-01-14 is over',
    });
  });

  const faultsOf = (fields: Parameters, kind: Kind = 'payment') =>
    violations(agreed(fields), kind, 'INTERNAL').filter(({ name }) =>
      name.startsWith('standingInstruction.'),
    );
  const unnamed = [
    {
      name: 'standingInstruction.initialTransactionId',
      message: 'must be sent, or standingInstruction.agreementId',
    },
  ];

  it.each(['payment', 'walletPayment', 'tokenPayment'] as const)(
    'names its first payment where the merchant initiates a %s, which is of a card',
    (kind) => {
      expect(faultsOf({ source: 'MIT' }, kind)).toEqual(unnamed);
      expect(faultsOf({ source: 'MIT', mode: 'REPEATED' }, kind)).toEqual(unnamed);
      expect(faultsOf({ source: 'MIT', initialTransactionId: 'acq-1' }, kind)).toEqual([]);
      expect(faultsOf({ source: 'MIT', agreementId: 'A-1' }, kind)).toEqual([]);
      expect(faultsOf({ industryPractice: 'NO_SHOW' }, kind)).toEqual(unnamed);
      expect(faultsOf({ industryPractice: 'NO_SHOW', agreementId: 'A-1' }, kind)).toEqual([]);
      // Whoever calls the first payment a MIT is told that, and not to name another one.
      expect(faultsOf({ mode: 'INITIAL', source: 'MIT' }, kind)).toEqual([]);
      expect(faultsOf({ source: 'CIT', mode: 'REPEATED' }, kind)).toEqual([]);
    },
  );

  it.each(['virtualAccountPayment', 'bankAccountPayment', 'giftCardPayment'] as const)(
    'names none where it initiates a %s, whose agreement no card network knows',
    (kind) => {
      expect(faultsOf({ source: 'MIT', mode: 'REPEATED' }, kind)).toEqual([]);
    },
  );
});

describe('the legacy recurringType', () => {
  it.each([
    ['INITIAL', { type: 'RECURRING', mode: 'INITIAL', source: 'CIT' }],
    ['REPEATED', { type: 'RECURRING', mode: 'REPEATED', source: 'MIT' }],
    ['REGISTRATION_BASED', { type: 'UNSCHEDULED', mode: 'REPEATED', source: 'CIT' }],
  ])('%s is recorded as %j', (recurringType, { type, mode, source }) => {
    const form = formOf({ recurringType });
    expect({ ...stored(form, 'payment').parameters }).toEqual({
      'standingInstruction.type': type,
      'standingInstruction.mode': mode,
      'standingInstruction.source': source,
    });
    expect(standingInstructionRejection(form, BEFORE_NOON_MS)).toBeUndefined();
  });

  it('names no first payment, because it has no word for one', () => {
    const found = violations(formOf({ recurringType: 'REPEATED' }), 'payment', 'INTERNAL');
    expect(found.map(({ name }) => name)).not.toContain('standingInstruction.initialTransactionId');
  });

  it.each(['type', 'mode', 'source'])('says nothing beside standingInstruction.%s', (part) => {
    const values: Parameters = { type: 'INSTALLMENT', mode: 'INITIAL', source: 'CIT' };
    const form = formOf({
      recurringType: 'REPEATED',
      [`standingInstruction.${part}`]: values[part] ?? '',
    });
    expect(impliedParameters(form, 'payment')).toEqual([]);
  });

  it('says nothing with another value, or of an operation on a transaction', () => {
    expect(impliedParameters(formOf({ recurringType: 'toString' }), 'payment')).toEqual([]);
    expect(impliedParameters(formOf({ recurringType: '' }), 'payment')).toEqual([]);
    expect(impliedParameters(formOf({ recurringType: 'INITIAL' }), 'rebill')).toEqual([]);
  });
});

describe('the first payment that was made elsewhere', () => {
  const stored = {
    'recurringMigration.connectorTxId2': 'second',
    'recurringMigration.connectorTxId3': 'third',
  };
  const byMerchant = { 'standingInstruction.source': 'MIT' };

  it('is named by what the merchant initiates, by the first reference that was sent', () => {
    expect(migratedAgreement(byMerchant, stored)).toEqual({
      'standingInstruction.initialTransactionId': 'second',
    });
    const all = { ...stored, 'recurringMigration.connectorTxId1': 'first' };
    expect(migratedAgreement(byMerchant, all)).toEqual({
      'standingInstruction.initialTransactionId': 'first',
    });
  });

  it.each([
    ['the shopper initiates', { 'standingInstruction.source': 'CIT' }],
    ['nobody says who initiates', {}],
    ['names another', { ...byMerchant, 'standingInstruction.initialTransactionId': 'own' }],
    ['names another agreement', { ...byMerchant, 'standingInstruction.agreementId': 'own' }],
  ])('is not named by what %s', (_, parameters) => {
    expect(migratedAgreement(parameters, stored)).toEqual({});
  });

  it('is none where none was migrated', () => {
    expect(migratedAgreement(byMerchant, { 'recurringMigration.paymentType': 'DB' })).toEqual({});
  });
});

describe('a stored account that the shopper has chosen', () => {
  const oneClick = {
    ...{ 'standingInstruction.type': 'UNSCHEDULED', 'standingInstruction.mode': 'REPEATED' },
    'standingInstruction.source': 'CIT',
  };

  it.each([
    ['card', oneClick],
    ['tokenAccount', oneClick],
    ['bankAccount', {}],
    ['virtualAccount', {}],
    ['giftCard', {}],
  ] as const)('that is a %s says %j where nobody says anything', (kind, words) => {
    const first = { 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' };
    const said = { merchantTransactionId: 'order-0001' };
    expect(oneClickAgreement(said, kind, first)).toEqual(words);
  });

  it.each(['type', 'mode', 'source', 'agreementId', 'expiry'])(
    'says nothing beside standingInstruction.%s',
    (part) => {
      const said = { [`standingInstruction.${part}`]: 'said' };
      expect(oneClickAgreement(said, 'card', {})).toEqual({});
    },
  );

  it.each(['expiry', 'frequency', 'numberOfInstallments'])(
    'says nothing where its %s was agreed when it was stored, which would bind the payment',
    (term) => {
      const stored = { [`standingInstruction.${term}`]: '0030' };
      expect(oneClickAgreement({}, 'card', stored)).toEqual({});
    },
  );
});

describe('what is stored', () => {
  it('says by the legacy word what a payment would', () => {
    const form = formOf({ recurringType: 'INITIAL' });
    expect(Object.fromEntries(impliedParameters(form, 'registration'))).toEqual({
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.source': 'CIT',
    });
  });
});

it('what is stored has agreed on terms if it is the first of an agreement and says some', () => {
  const first = { 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' };
  const terms = {
    'standingInstruction.expiry': '2030-01-31',
    'standingInstruction.frequency': '0030',
    'standingInstruction.numberOfInstallments': '12',
  };
  expect(termsOf({ ...first, ...terms })).toEqual(terms);
  expect(termsOf(first)).toBeUndefined();
  expect(termsOf({ ...terms, 'standingInstruction.mode': 'REPEATED' })).toBeUndefined();
});
