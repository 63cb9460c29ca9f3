import { describe, expect, it } from '@jest/globals';
import { codes, groupOf, isKnown, outcomeOf } from '@sluice/result-codes';
import { reasonCodes, resultCodeOf } from './reason-codes.js';

/** Those of the guidance for direct debits (EPC173-14), and of returned transfers. */
const ofSchemes =
  'AC01 AC04 AC06 AC13 AG01 AG02 AM04 AM05 BE05 CNOR DNOR ED05 FF01 FF05 MD01 MD02 MD06 MD07 ' +
  'MS02 MS03 RC01 RR01 RR02 RR03 RR04 SL01 AC03 BE04 AM09 FOCR DUPL TECH FRAD CUST';

describe('the table of reasons', () => {
  it.each(Object.entries(reasonCodes))('declines and charges back %s', (_reason, row) => {
    expect(isKnown(row.rejected)).toBe(true);
    expect(outcomeOf(row.rejected)).toBe('rejected');
    // A decline by the bank, or a payment that it has twice; never a word on 3-D Secure.
    expect(['reject_bank', 'reject_risk_validation']).toContain(groupOf(row.rejected));
    expect(isKnown(row.returned)).toBe(true);
    expect(groupOf(row.returned)).toBe('chargeback');
    // These two say that a capture succeeded.
    expect(['000.100.211', '000.100.212']).not.toContain(row.returned);
  });

  it.each(ofSchemes.split(' '))('has %s, which a bank of SEPA may give', (reason) => {
    expect(Object.keys(reasonCodes)).toContain(reason);
  });

  it.each([
    ['AC01', '800.100.201', '000.100.201'],
    ['AC04', '800.100.202', '000.100.202'],
    ['AC06', '800.100.172', '000.100.208'],
    ['AM04', '800.100.203', '000.100.203'],
    ['MD01', '800.100.204', '000.100.204'],
    ['MD06', '800.100.206', '000.100.206'],
    ['MS02', '800.100.200', '000.100.206'],
    ['MS03', codes.declinedByAuthorizationSystem, codes.chargebackReceived],
  ])('says of %s: %s before, %s after it was booked', (reason, rejected, returned) => {
    expect(resultCodeOf(reason, 'rejected')).toBe(rejected);
    expect(resultCodeOf(reason, 'returned')).toBe(returned);
  });

  it.each(['ZZ99', '', 'toString', '__proto__', undefined])('claims nothing of %s', (reason) => {
    expect(resultCodeOf(reason, 'rejected')).toBe(codes.declinedByAuthorizationSystem);
    expect(resultCodeOf(reason, 'returned')).toBe(codes.chargebackReceived);
  });
});
