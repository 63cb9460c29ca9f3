import { catalogue } from '@sluice/parameters';
import { describe, expect, it } from '@jest/globals';
import { bankCodeOf, electronic, ibanText, isIban } from '../src/iban.js';

/** Of the registry of ISO 13616, each with the code of its bank. */
const EXAMPLES: readonly (readonly [iban: string, bankCode: string])[] = [
  ['AD1200012030200359100100', '0001'],
  ['AL47212110090000000235698741', '21211009'],
  ['AT611904300234573201', '19043'],
  ['BE68539007547034', '539'],
  ['BG80BNBG96611020345678', 'BNBG'],
  ['CH9300762011623852957', '00762'],
  ['CY17002001280000001200527600', '002'],
  ['CZ6508000000192000145399', '0800'],
  ['DE89370400440532013000', '37040044'],
  ['DK5000400440116243', '0040'],
  ['EE382200221020145685', '22'],
  ['ES9121000418450200051332', '2100'],
  ['FI2112345600000785', '123'],
  ['FR1420041010050500013M02606', '20041'],
  ['GB29NWBK60161331926819', 'NWBK'],
  ['GI75NWBK000000007099453', 'NWBK'],
  ['GR1601101250000000012300695', '011'],
  ['HR1210010051863000160', '1001005'],
  ['HU42117730161111101800000000', '117'],
  ['IE29AIBK93115212345678', 'AIBK'],
  ['IS140159260076545510730339', '0159'],
  ['IT60X0542811101000000123456', '05428'],
  ['LI21088100002324013AA', '08810'],
  ['LT121000011101001000', '10000'],
  ['LU280019400644750000', '001'],
  ['LV80BANK0000435195001', 'BANK'],
  ['MC5811222000010123456789030', '11222'],
  ['MD24AG000225100013104168', 'AG'],
  ['ME25505000012345678951', '505'],
  ['MK07250120000058984', '250'],
  ['MT84MALT011000012345MTLCAST001S', 'MALT'],
  ['NL91ABNA0417164300', 'ABNA'],
  ['NO9386011117947', '8601'],
  ['PL61109010140000071219812874', '10901014'],
  ['PT50000201231234567890154', '0002'],
  ['RO49AAAA1B31007593840000', 'AAAA'],
  ['RS35260005601001611379', '260'],
  ['SE4550000000058398257466', '500'],
  ['SI56263300012039086', '26330'],
  ['SK3112000000198742637541', '1200'],
  ['SM86U0322509800000000270100', '03225'],
  ['VA59001123000012345678', '001'],
];

describe('an IBAN', () => {
  it.each(EXAMPLES)('%s is one, here and at the gateway, of the bank %s', (iban, bankCode) => {
    expect(isIban(iban)).toBe(true);
    expect(catalogue['bankAccount.iban'].format.accepts(iban)).toBe(true);
    expect(bankCodeOf(iban)).toBe(bankCode);
  });

  it('is none with another digit anywhere, whatever it is', () => {
    for (const [iban] of EXAMPLES) {
      const at = iban.length - 1;
      const other = iban.slice(0, at) + (iban.endsWith('7') ? '4' : '7');
      expect([other, isIban(other), bankCodeOf(other)]).toEqual([other, false, undefined]);
    }
  });

  it.each(['', 'DE', 'DE8937040044053201300', 'XX89370400440532013000', 'DEXX370400440532013000'])(
    '%j is none',
    (text) => {
      expect(isIban(text)).toBe(false);
    },
  );

  it('is read as people type it, and shown as it is printed', () => {
    expect(electronic(' de89-3704 0044 0532 0130 00.')).toBe('DE89370400440532013000');
    expect(electronic('DE\u0668\u0669')).toBe('DE89');
    expect(ibanText('de893704004')).toBe('DE89 3704 004');
    expect(ibanText('DE89 ')).toBe('DE89');
    expect(isIban('de89 3704 0044 0532 0130 00')).toBe(true);
  });
});
