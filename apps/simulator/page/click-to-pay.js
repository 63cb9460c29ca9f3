// An SRC system of Click to Pay, as far as pages use it to pay: the methods of EMVCo's JavaScript interface, and
// strict where such a system is. Every e-mail address is that of a shopper, but those of `nobody@`.

import { element, newToken, ownAddress } from './sheet.js';

/**
 * @typedef {object} SrcInit
 * @property {string} srciTransactionId
 * @property {string} srcInitiatorId
 * @property {string} srciDpaId
 * @property {{ dpaPresentationName?: string }} [dpaData]
 *
 * @typedef {object} SrcIdentity
 * @property {{ identityProvider: string, identityType: string, identityValue: string }} consumerIdentity
 *
 * @typedef {object} SrcAmount
 * @property {string} transactionAmount
 * @property {string} transactionCurrencyCode
 *
 * @typedef {object} SrcCheckout
 * @property {string} srcCorrelationId
 * @property {string} srciTransactionId
 * @property {string} srcDigitalCardId
 * @property {Window} windowRef
 * @property {string} payloadTypeIndicatorCheckout
 * @property {{ transactionAmount: SrcAmount }} dpaTransactionOptions
 */

const SRC_BASE = new URL('./', ownAddress());
/** What every shopper is sent. */
const SRC_CODE = '123456';
const SRC_CORRELATION = 'sluice-simulated-src';
const SRC_CARDS = [
  { srcDigitalCardId: 'visa', panBin: '420000', panLastFour: '0000', brand: 'Visa' },
  { srcDigitalCardId: 'mastercard', panBin: '545454', panLastFour: '5454', brand: 'Mastercard' },
  { srcDigitalCardId: 'amex', panBin: '377777', panLastFour: '7770', brand: 'American Express' },
  { srcDigitalCardId: 'discover', panBin: '601158', panLastFour: '9498', brand: 'Discover' },
];

class SimulatedSrcSystem {
  /** @type {SrcInit | undefined} */
  #init;
  #email = '';
  #idToken = '';

  /** @param {SrcInit} init */
  init(init) {
    for (const name of /** @type {const} */ ([
      'srciTransactionId',
      'srcInitiatorId',
      'srciDpaId',
    ])) {
      if (!init[name]) return Promise.reject(srcError('REQUEST_PARAMETER_MISSING', name));
    }
    this.#init = init;
    return Promise.resolve();
  }

  /** @param {SrcIdentity} identity */
  identityLookup({ consumerIdentity }) {
    const { identityProvider, identityType, identityValue } = consumerIdentity;
    const isRight = identityProvider === 'SRC' && identityType === 'EMAIL_ADDRESS';
    if (this.#init === undefined || !isRight || !identityValue.includes('@')) {
      return Promise.reject(srcError('ID_FORMAT_UNSUPPORTED', 'consumerIdentity'));
    }
    this.#email = identityValue;
    return Promise.resolve({ consumerPresent: !identityValue.startsWith('nobody@') });
  }

  initiateIdentityValidation() {
    if (this.#email === '') return Promise.reject(srcError('ACCT_INACCESSIBLE', 'no shopper'));
    const maskedValidationChannel = this.#email.replace(/^(.)[^@]*/, '$1***');
    return Promise.resolve({ maskedValidationChannel });
  }

  /** @param {{ validationData: string }} code */
  completeIdentityValidation({ validationData }) {
    if (validationData !== SRC_CODE) return Promise.reject(srcError('CODE_INVALID', 'the code'));
    this.#idToken = `simulated.${this.#email}`;
    return Promise.resolve({ idToken: this.#idToken });
  }

  /** @param {{ idTokens: string[] }} shopper */
  getSrcProfile({ idTokens }) {
    const isKnown = this.#idToken !== '' && idTokens.includes(this.#idToken);
    if (!isKnown) return Promise.reject(srcError('AUTH_INVALID', 'idTokens'));
    const isEmpty = this.#email.startsWith('empty@');
    const maskedCards = (isEmpty ? [] : SRC_CARDS).map(({ brand, ...card }) => ({
      ...card,
      ...{ panExpirationMonth: '05', panExpirationYear: '2034', paymentCardDescriptor: brand },
      digitalCardData: { status: 'ACTIVE', presentationName: brand },
    }));
    return Promise.resolve({ srcCorrelationId: SRC_CORRELATION, profiles: [{ maskedCards }] });
  }

  /** @param {SrcCheckout} checkout */
  async checkout(checkout) {
    const { srcCorrelationId, srciTransactionId, srcDigitalCardId, windowRef } = checkout;
    const { transactionAmount: amount } = checkout.dpaTransactionOptions;
    const card = SRC_CARDS.find((one) => one.srcDigitalCardId === srcDigitalCardId);
    const isRight =
      this.#init !== undefined &&
      srciTransactionId === this.#init.srciTransactionId &&
      srcCorrelationId === SRC_CORRELATION &&
      checkout.payloadTypeIndicatorCheckout === 'PAYMENT' &&
      /^\d+(?:\.\d\d)?$/.test(amount.transactionAmount);
    if (!isRight || card === undefined || this.#init === undefined) {
      throw srcError('REQUEST_PARAMETER_MISSING', 'checkout');
    }
    const payee = this.#init.dpaData?.dpaPresentationName ?? location.hostname;
    const chosen = await confirmedIn(windowRef, [
      ['Pay to', payee],
      ['Amount', `${amount.transactionAmount} ${amount.transactionCurrencyCode}`],
      ['Card', `${card.brand} ${card.panLastFour}`],
    ]);
    if (chosen !== 'COMPLETE') return { dcfActionCode: chosen };
    const checkoutResponse = await newToken(SRC_BASE.href, 'clickToPay', {
      ...{ amount: amount.transactionAmount, currency: amount.transactionCurrencyCode },
      ...{ srciTransactionId, srcDigitalCardId, srcDpaId: this.#init.srciDpaId },
    });
    return { dcfActionCode: 'COMPLETE', checkoutResponse };
  }
}

const SRC_STYLE = `
  body { margin: 0; color: #1a1a1a; background: #fff; font: 1rem/1.5 system-ui, sans-serif }
  main { padding: 1rem }
  h1 { margin: 0; font-size: 1.125rem }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 1rem; margin: 1rem 0 }
  dt { color: #595959 }
  dd { margin: 0; text-align: end; font-weight: 600; overflow-wrap: anywhere }
  button { box-sizing: border-box; width: 100%; min-height: 2.75rem; margin-top: 0.5rem; border: 1px solid #767676;
    border-radius: 0.5rem; color: #1a1a1a; background: #fff; font: inherit; cursor: pointer }
  button:first-of-type { color: #fff; background: #1a1a1a }
  button:focus-visible { outline: 3px solid #1d70b8; outline-offset: 2px }
`;

/**
 * The facilitator of the card, who asks the shopper in the window that the page has given.
 * @param {Window} target
 * @param {readonly (readonly [string, string])[]} facts
 * @returns {Promise<string>}
 */
function confirmedIn(target, facts) {
  const page = target.document;
  const Sheet = /** @type {typeof globalThis} */ (/** @type {unknown} */ (target)).CSSStyleSheet;
  const style = new Sheet();
  style.replaceSync(SRC_STYLE);
  page.adoptedStyleSheets = [style];
  const main = element('main');
  const list = element('dl');
  for (const [name, value] of facts) list.append(element('dt', name), element('dd', value));
  return new Promise((resolve) => {
    /** @param {string} text @param {string} code */
    const choice = (text, code) => {
      const button = element('button', text);
      button.type = 'button';
      button.addEventListener('click', () => resolve(code));
      return button;
    };
    const confirm = choice('Pay', 'COMPLETE');
    main.append(element('h1', 'Click to Pay, simulated'), element('p', 'No money moves.'), list);
    main.append(confirm, choice('Another card', 'CHANGE_CARD'), choice('Cancel', 'CANCEL'));
    page.documentElement.lang = 'en';
    page.title = 'Click to Pay, simulated';
    page.body.replaceChildren(main);
    confirm.focus();
  });
}

/** @param {string} reason @param {string} message */
function srcError(reason, message) {
  return Object.assign(new Error(message), { reason });
}

const srcOfPage = /** @type {{ SluiceSimulatedSrc?: object }} */ (window);
srcOfPage.SluiceSimulatedSrc = SimulatedSrcSystem;
