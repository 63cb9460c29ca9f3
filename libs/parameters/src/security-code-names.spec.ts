import { describe, expect, it } from '@jest/globals';
import { parseForm } from './form-parser.js';
import { isSecurityCodeName } from './security-code-names.js';
import { stored } from './stored.js';

function kept(name: string, value: string): string | undefined {
  const parsed = parseForm(new URLSearchParams([[name, value]]).toString());
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  const { parameters, personal } = stored(parsed.form, 'payment');
  return { ...parameters, ...personal }[name];
}

const CODES = [
  ...['cvv', 'card.cvv', 'CVC2', 'shop_cvn', 'security_code', 'securityCode', 'SECURITYCODE'],
  ...['cardCvv', 'cardCVC', 'cvvCode', 'cvvNumber', 'cardSecurityCode', 'cid', 'CID', 'pin'],
  ...['verificationValue', 'cardVerificationValue', 'card_verification_code', 'cardcvv', 'ccCvv'],
  ...['cvvcode', 'cvcnumber', 'CardCVV2', 'CVVNumber', 'credit.card.csc', 'cvv_1', 'cvvvalue'],
  ...['card_pin', 'cardPinCode', 'pinNumber', 'debitCardPIN', 'card_cid', 'checkout.cardCvc'],
  ...['visa_cvv', 'creditCardCvc', '__cvv__', 'newCvv2', 'cscPlain', 'CARD_SECURITY_NUMBER'],
];

const OTHERS = [
  ...['cidade', 'acid', 'client_cid', 'shipping', 'spinner', 'pincode', 'pin_code', 'pinned'],
  ...['pickup_pin', 'spin', 'branch_id', 'cvvChecked', 'cvv_result', 'cvcPresent', 'opinion'],
  ...['code', 'codeNumber', 'security', 'securityCodeChecked', 'verification', 'discount_code'],
  ...['cvs_store', 'incvvenience', 'csccard', 'number', 'card_type', 'placid', 'shopping'],
];

describe("a security code in the merchant's own data", () => {
  it.each(CODES)('is masked under the name %s (S-PCI-03)', (name) => {
    expect(isSecurityCodeName(name)).toBe(true);
    expect(kept(`customParameters[${name}]`, '9461')).toBe('***');
    expect(kept(`merchant.data[${name}]`, '946')).toBe('***');
  });

  it.each(OTHERS)('is not meant by the name %s', (name) => {
    expect(isSecurityCodeName(name)).toBe(false);
    expect(kept(`customParameters[${name}]`, '9461')).toBe('9461');
  });

  it.each([' 946 ', '9 4 6', '9-4-6', '９４６', '9461'])(
    'is masked when it is spelled %j',
    (value) => {
      expect(kept('customParameters[cvv]', value)).toBe('***');
    },
  );

  it.each(['M', '12345', '94', 'yes 946', ''])('is not %j under its name', (value) => {
    expect(kept('customParameters[cvv]', value)).toBe(value);
  });

  it('has no name of the interface', () => {
    expect(kept('merchant.mcc', '5411')).toBe('5411');
  });
});
