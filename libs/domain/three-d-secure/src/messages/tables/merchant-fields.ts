import { anywhere, O, R, type Row, since, split } from '../field-rows.js';
import {
  array,
  codes,
  country,
  currency,
  digits,
  moment,
  needed,
  number,
  object,
  oneOf,
  possible,
  upTo,
} from '../formats.js';

const inPayments = split(R, O);

const riskIndicator = (shippingLast: string) => {
  const ways = ['01', '02', '03', '04', '05', '06', '07', '08', '09'];
  return object('the order', {
    shipIndicator: possible(oneOf(...ways.filter((way) => way <= shippingLast))),
    deliveryTimeframe: possible(oneOf('01', '02', '03', '04')),
    deliveryEmailAddress: possible(upTo(254)),
    reorderItemsInd: possible(oneOf('01', '02')),
    preOrderPurchaseInd: possible(oneOf('01', '02')),
    preOrderDate: possible(moment('YYYYMMDD')),
    giftCardAmount: possible(digits(15, 1)),
    giftCardCurr: possible(currency),
    giftCardCount: possible(digits(2)),
    transChar: possible(array(oneOf('01', '02'), 2), '2.3.1'),
  });
};

const seller = object('a seller', {
  sellerName: needed(upTo(100)),
  sellerId: possible(upTo(50)),
  sellerBusinessName: possible(upTo(100)),
  sellerAccDate: possible(moment('YYYYMMDD')),
  sellerAddrLine1: possible(upTo(50)),
  sellerAddrLine2: possible(upTo(50)),
  sellerAddrLine3: possible(upTo(50)),
  sellerAddrCity: possible(upTo(50)),
  sellerAddrState: possible(upTo(3)),
  sellerAddrPostCode: possible(upTo(16)),
  sellerAddrCountry: possible(country),
  sellerEmail: possible(upTo(254)),
  sellerPhone: possible(
    object('a phone', { cc: needed(digits(3, 1)), subscriber: needed(digits(15, 1)) }),
  ),
});

const listedMerchant = object('a merchant', {
  merchantNameListed: needed(upTo(40)),
  acquirerMerchantIdListed: possible(upTo(15)),
  merchantAmount: possible(digits(48, 1)),
  merchantCurrency: possible(currency),
  merchantExponent: possible(digits(1)),
  sellerId: possible(upTo(50)),
});

/** Who sells, and through which acquirer. */
export const merchantFields: readonly Row[] = [
  anywhere('acquirerBIN', 'The acquirer’s number at the directory server.', upTo(11), {
    AReq: inPayments,
  }),
  anywhere('acquirerMerchantID', 'What the acquirer calls the merchant.', upTo(35), {
    AReq: inPayments,
  }),
  anywhere('acquirerCountryCode', 'The acquirer’s country.', since('2.3.1', country), { AReq: R }),
  anywhere(
    'acquirerCountryCodeSource',
    'Who says so: 01 our server, 02 the directory server.',
    since('2.3.1', codes('01', '02')),
    { AReq: R },
  ),
  anywhere('mcc', 'What the merchant sells (ISO 18245).', digits(4), { AReq: inPayments }),
  anywhere('merchantCountryCode', 'The merchant’s country.', country, { AReq: inPayments }),
  anywhere('merchantName', 'The merchant’s name, as on the shopper’s statement.', upTo(40), {
    AReq: inPayments,
  }),
  anywhere(
    'merchantRiskIndicator',
    'What the merchant thinks of the order’s risk.',
    { '2.1.0': riskIndicator('07'), '2.3.1': riskIndicator('09') },
    { AReq: O },
  ),
  anywhere(
    'multiTransaction',
    'The merchants of an order that is sold by several.',
    since(
      '2.3.1',
      object('the order', {
        merchantList: needed(array(listedMerchant, 50)),
        avValidityTime: possible(number(0, 999, 3)),
        avNumberUse: possible(number(0, 99, 2)),
      }),
    ),
    { AReq: O },
  ),
  anywhere('sellerInfo', 'The sellers on a marketplace.', since('2.3.1', array(seller, 50)), {
    AReq: O,
  }),
];
