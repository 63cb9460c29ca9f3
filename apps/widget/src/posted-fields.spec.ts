import { describe, expect, it } from '@jest/globals';
import { postedFields } from './posted-fields.js';

describe("the inputs of the form, and the page's own", () => {
  it('are sent as they are', () => {
    const inputs: [string, unknown][] = [
      ['paymentBrand', 'VISA'],
      ['card.holder', 'Jane Jones'],
      ['card.expiry', '05 / 34'],
      ['createRegistration', 'true'],
      ['customParameters[SHOPPER_gift]', 'yes'],
      ['billing.city', ''],
      ['', 'nameless'],
      ['file', { name: 'a file' }],
    ];
    expect(postedFields(inputs)).toEqual({
      fields: [
        ['paymentBrand', 'VISA'],
        ['card.holder', 'Jane Jones'],
        ['createRegistration', 'true'],
        ['customParameters[SHOPPER_gift]', 'yes'],
      ],
      complaints: [],
    });
  });

  it.each(['customParameters[gift]', 'card.number', 'card.cvv', 'card.expiryMonth'])(
    'are not sent if they are %s, and the page is told',
    (name) => {
      const { fields, complaints } = postedFields([[name, 'x']]);
      expect(fields).toEqual([]);
      expect(complaints).toEqual([expect.stringContaining(`The input ${name} is not sent: `)]);
    },
  );
});
