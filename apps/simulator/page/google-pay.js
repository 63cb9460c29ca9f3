// `google.payments.api.PaymentsClient`, as far as pages use it to pay, and strict where the wallet itself is.

import { element, hasGesture, newToken, openSheet, ownAddress } from './sheet.js';

/**
 * @typedef {object} GooglePayMethod
 * @property {string} type
 * @property {{ allowedAuthMethods: string[], allowedCardNetworks: string[] }} parameters
 * @property {{ type: string, parameters: Record<string, string> }} [tokenizationSpecification]
 *
 * @typedef {object} GooglePayRequest
 * @property {GooglePayMethod[]} allowedPaymentMethods
 * @property {{ totalPriceStatus: string, totalPrice: string, currencyCode: string, countryCode?: string }} transactionInfo
 * @property {{ merchantName?: string }} [merchantInfo]
 *
 * @typedef {object} GooglePayButton
 * @property {(event: Event) => void} onClick
 * @property {'black' | 'white' | 'default'} [buttonColor]
 * @property {number} [buttonRadius]
 * @property {'static' | 'fill'} [buttonSizeMode]
 */

const GOOGLE_PAY_BASE = new URL('./', ownAddress());
const GOOGLE_PAY_BUTTON_RADIUS = 4;

class SimulatedPaymentsClient {
  /** @param {{ environment?: string }} [options] */
  constructor({ environment = 'TEST' } = {}) {
    if (environment !== 'TEST')
      throw new TypeError('The simulated Google Pay takes no real money.');
  }

  /** @param {Pick<GooglePayRequest, 'allowedPaymentMethods'>} request */
  isReadyToPay({ allowedPaymentMethods }) {
    return Promise.resolve({ result: allowedPaymentMethods.some(({ type }) => type === 'CARD') });
  }

  /** @param {GooglePayButton} options */
  createButton({ onClick, buttonColor, buttonRadius = GOOGLE_PAY_BUTTON_RADIUS, buttonSizeMode }) {
    const button = element('button', 'Google Pay');
    button.type = 'button';
    button.className = 'gpay-button';
    const [color, background] = buttonColor === 'white' ? ['#1f1f1f', '#fff'] : ['#fff', '#1f1f1f'];
    Object.assign(button.style, {
      ...{ color, background, borderRadius: `${buttonRadius}px`, border: '1px solid #747775' },
      ...{ minHeight: '44px', minWidth: '160px', font: 'inherit', cursor: 'pointer' },
      ...(buttonSizeMode === 'fill' && { width: '100%', height: '100%' }),
    });
    button.addEventListener('click', onClick);
    const around = element('div');
    around.append(button);
    if (buttonSizeMode === 'fill') Object.assign(around.style, { width: '100%', height: '100%' });
    return around;
  }

  /** @param {GooglePayRequest} request */
  async loadPaymentData({ allowedPaymentMethods, transactionInfo, merchantInfo }) {
    const [method] = allowedPaymentMethods;
    const { totalPriceStatus, totalPrice, currencyCode } = transactionInfo;
    const specification = method?.tokenizationSpecification;
    const { gateway = '', gatewayMerchantId = '' } = specification?.parameters ?? {};
    const isRight =
      totalPriceStatus === 'FINAL' &&
      /^\d+(?:\.\d\d)?$/.test(totalPrice) &&
      /^[A-Z]{3}$/.test(currencyCode) &&
      specification?.type === 'PAYMENT_GATEWAY' &&
      gateway !== '' &&
      gatewayMerchantId !== '';
    if (method === undefined || !isRight) throw googlePayError('DEVELOPER_ERROR');
    if (!hasGesture()) throw googlePayError('DEVELOPER_ERROR');
    const isOfDevice = method.parameters.allowedAuthMethods.includes('CRYPTOGRAM_3DS');
    const token = await tokenFromSheet({
      payee: merchantInfo?.merchantName ?? location.hostname,
      fields: {
        ...{ amount: totalPrice, currency: currencyCode, entityId: gatewayMerchantId },
        'card.numberType': isOfDevice ? 'DPAN' : 'PAN',
      },
    });
    const info = { cardNetwork: 'VISA', cardDetails: '0000' };
    const tokenizationData = { type: 'PAYMENT_GATEWAY', token };
    return {
      ...{ apiVersion: 2, apiVersionMinor: 0 },
      paymentMethodData: { type: 'CARD', description: 'Visa 0000', info, tokenizationData },
    };
  }
}

/**
 * @param {{ payee: string, fields: { amount: string, currency: string } & Record<string, string> }} sheet
 * @returns {Promise<string>}
 */
function tokenFromSheet({ payee, fields }) {
  return new Promise((resolve, reject) => {
    const sheet = openSheet({
      ...{ wallet: 'Google Pay', payee, amount: `${fields.amount} ${fields.currency}` },
      choices: [['approve', 'Pay']],
      onChoice: () => {
        sheet.waits('Processing.');
        const token = newToken(GOOGLE_PAY_BASE.href, 'googlePay', fields);
        void token.then(resolve, reject).finally(() => sheet.close());
      },
      onCancel: () => {
        sheet.close();
        reject(googlePayError('CANCELED'));
      },
    });
    sheet.ready();
  });
}

/** @param {'CANCELED' | 'DEVELOPER_ERROR'} statusCode */
function googlePayError(statusCode) {
  return Object.assign(new Error(statusCode), { statusCode });
}

const googleOfPage = /** @type {{ google?: object }} */ (window);
googleOfPage.google = {
  ...googleOfPage.google,
  payments: { api: { PaymentsClient: SimulatedPaymentsClient } },
};
