import { noted } from '../format.js';
import { oneOf, text, walletToken } from '../formats.js';
import { optional, type Parameters } from '../parameter.js';
import { shoppersTokenOf, walletSourceOf, walletTokenOf } from '../conditions.js';
import { otherThanBrand } from '../conflicts.js';

const ofWallets = {
  requirement: optional,
  kinds: ['walletPayment', 'payment', 'checkout', 'widgetPayment', 'registration'],
  sensitivity: 'none',
  echo: true,
  kept: true,
  interface: '2.5',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;
/**
 * What only a merchant says, who has decrypted a token: a shopper who could say it would pay by a bare
 * number without its code.
 */
const ofMerchants = {
  ...ofWallets,
  kinds: ofWallets.kinds.filter((kind) => kind !== 'widgetPayment'),
} as const;
/** Beside a card it would be a second account (D-69). */
const ofTokens = {
  ...ofWallets,
  kinds: ['walletPayment', 'checkout', 'widgetPayment', 'registration'],
  sensitivity: 'accountData',
  echo: false,
  kept: false,
} as const;

/**
 * Interface 2.5: wallets. What the interface calls walletA, walletB and walletC are Apple Pay, Google
 * Pay and Samsung Pay (D-53); Click to Pay is like them (page 0070). A token is for the vault; decrypted, the card is sent as a card.
 */
export const wallet = {
  'applePay.paymentToken': {
    ...ofTokens,
    conflict: otherThanBrand('applePay'),
    format: walletToken,
    requirement: walletTokenOf('applePay'),
    requirementIn: { widgetPayment: shoppersTokenOf('applePay') },
    example: '{"data":"kdBZxUsVnG2l","version":"EC_v1"}',
    description: 'The encrypted token, as Apple Pay gave it.',
  },
  'applePay.cardNetwork': {
    ...ofWallets,
    conflict: otherThanBrand('applePay'),
    format: noted("card network taken from the token's payment method network", text({ max: 255 })),
    example: 'Visa',
    description: 'The card network that the token names.',
  },
  'applePay.cardType': {
    ...ofWallets,
    conflict: otherThanBrand('applePay'),
    format: noted("card type taken from the token's payment method type", text({ max: 255 })),
    example: 'credit',
    description: 'The kind of card that the token names.',
  },
  'applePay.source': {
    ...ofMerchants,
    conflict: otherThanBrand('applePay'),
    format: noted('web or app', oneOf('web', 'app')),
    requirement: walletSourceOf('applePay'),
    description: 'Where the shopper paid.',
  },
  'googlePay.paymentToken': {
    ...ofTokens,
    conflict: otherThanBrand('googlePay'),
    format: walletToken,
    requirement: walletTokenOf('googlePay'),
    requirementIn: { widgetPayment: shoppersTokenOf('googlePay') },
    example: '{"protocolVersion":"ECv2","signature":"MEUCIQDn7k"}',
    description: 'The encrypted token, as Google Pay gave it.',
  },
  'googlePay.source': {
    ...ofMerchants,
    conflict: otherThanBrand('googlePay'),
    format: noted('web or app', oneOf('web', 'app')),
    requirement: walletSourceOf('googlePay'),
    description: 'Where the shopper paid.',
  },
  'samsungPay.paymentToken': {
    ...ofTokens,
    conflict: otherThanBrand('samsungPay'),
    format: walletToken,
    requirement: walletTokenOf('samsungPay'),
    requirementIn: { widgetPayment: shoppersTokenOf('samsungPay') },
    example: '{"method":"3DS","data":"eyJhbGciOiJSU0Ex"}',
    description: 'The encrypted token, as Samsung Pay gave it.',
  },
  'samsungPay.source': {
    ...ofMerchants,
    conflict: otherThanBrand('samsungPay'),
    format: noted('web or app', oneOf('web', 'app')),
    requirement: walletSourceOf('samsungPay'),
    description: 'Where the shopper paid.',
  },
  'clickToPay.paymentToken': {
    ...ofTokens,
    conflict: otherThanBrand('clickToPay'),
    format: walletToken,
    requirement: walletTokenOf('clickToPay'),
    requirementIn: { widgetPayment: shoppersTokenOf('clickToPay') },
    example: 'eyJhbGciOiJSUzI1NiJ9.eyJzcmNEcGFJZCI6IiJ9.c2lnbmVk',
    description:
      'The checkout response, signed and encrypted, as the SRC system of Click to Pay gave it.',
  },
  'clickToPay.source': {
    ...ofMerchants,
    conflict: otherThanBrand('clickToPay'),
    format: noted('web or app', oneOf('web', 'app')),
    requirement: walletSourceOf('clickToPay'),
    description: 'Where the shopper paid.',
  },
} as const satisfies Parameters;
