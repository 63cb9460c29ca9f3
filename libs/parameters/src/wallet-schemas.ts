import { country, object, type Properties, text } from './answer-properties.js';
import type { JsonObject } from './json-object.js';

const shown: Properties = {
  script: text("The provider's own script.", { format: 'uri' }),
  isSimulated: {
    type: 'boolean',
    description: 'Whether a simulator plays it, as in every sandbox.',
  },
  displayName: text('The shop, where its page does not say it.'),
  countryCode: text("The merchant's country.", country),
};

/**
 * What a page exchanges with the gateway about its wallets (page 0067).
 * @param common what every answer has
 */
export function walletSchemas(common: Properties): Readonly<Record<string, JsonObject>> {
  const required = Object.keys(common);
  return {
    CheckoutWallets: object(
      'The wallets of the page of a checkout. New fields may come at any time.',
      {
        amount: text('What is charged; absent where nothing is paid.', {
          pattern: String.raw`^[0-9]+\.[0-9]{2}$`,
        }),
        currency: text('Its currency.', { pattern: '^[A-Z]{3}$' }),
        applePay: object('Where Apple Pay is set up for the channel.', shown),
        googlePay: object('Where Google Pay is set up for the channel.', {
          ...shown,
          environment: text('Of the provider.', { enum: ['TEST', 'PRODUCTION'] }),
          gateway: text('Our name with the provider.'),
          gatewayMerchantId: text('Whose payment it is: the channel.'),
          merchantId: text("The merchant's id with the provider."),
        }),
        clickToPay: object('Where Click to Pay is set up for the channel.', {
          isSimulated: shown['isSimulated'] ?? {},
          displayName: shown['displayName'] ?? {},
          systems: {
            type: 'array',
            description: "The schemes' systems.",
            items: object('A scheme, and as whom it knows us.', {
              script: text("The scheme's own script.", { format: 'uri' }),
              global: text('Where that script leaves its interface on the page.'),
              srcInitiatorId: text('The gateway, as the scheme knows it.'),
              srciDpaId: text('The merchant, as the scheme knows it.'),
            }),
          },
          srciTransactionId: text('How the page calls its transaction with them.', {
            format: 'uuid',
          }),
        }),
        ...common,
      },
      { required },
    ),
    ApplePaySession: object(
      'A page that Apple has confirmed. New fields may come at any time.',
      {
        merchantSession: object('What the page hands to its sheet, which alone reads it.', {}),
        ...common,
      },
      { required: ['merchantSession', ...required] },
    ),
    ApplePaySessionRequest: object(
      'What a page asks for before its sheet opens.',
      {
        validationUrl: text("As the browser's Apple Pay has said it.", { format: 'uri' }),
        displayName: text('The shop, as the sheet shows it.', { maxLength: 128 }),
        amount: text('As the sheet shows it; another one than the checkout charges is refused.'),
        currency: text('The same of the currency.'),
      },
      { required: ['validationUrl'], additionalProperties: false },
    ),
  };
}
