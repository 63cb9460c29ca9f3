// `window.ApplePaySession`, as far as pages use it to pay. It is as strict as the wallet itself where a page
// could be wrong without noticing it: the shopper's gesture, the request, and whose page it is.

import { hasGesture, newToken, openSheet, ownAddress } from './sheet.js';

/**
 * @typedef {object} ApplePayRequest
 * @property {string} countryCode
 * @property {string} currencyCode
 * @property {string[]} supportedNetworks
 * @property {string[]} merchantCapabilities
 * @property {{ label: string, amount: string }} total
 *
 * @typedef {object} MerchantSession
 * @property {string} merchantSessionIdentifier
 * @property {string} domainName
 */

const APPLE_PAY_BASE = new URL('./', ownAddress());
/** The simulator's bank reads it from the name on the card. */
const APPLE_PAY_DECLINE = '800.100.151';
/** A page has one at a time. @type {Set<SimulatedApplePaySession>} */
const open = new Set();

class SimulatedApplePaySession {
  static STATUS_SUCCESS = 0;
  static STATUS_FAILURE = 1;

  /** @type {((event: { validationURL: string }) => void) | null} */
  onvalidatemerchant = null;
  /** @type {((event: { payment: object }) => void) | null} */
  onpaymentauthorized = null;
  /** @type {((event: object) => void) | null} */
  oncancel = null;
  /** @type {import('./sheet.js').Sheet | undefined} */
  #sheet;
  #request;

  static canMakePayments() {
    return true;
  }

  /** @param {number} version */
  static supportsVersion(version) {
    return version >= 1 && version <= 14;
  }

  /** @param {number} version @param {ApplePayRequest} request */
  constructor(version, request) {
    if (!hasGesture()) {
      const message = 'Must create a new ApplePaySession from a user gesture handler.';
      throw new DOMException(message, 'InvalidAccessError');
    }
    const { countryCode, currencyCode, supportedNetworks, merchantCapabilities, total } = request;
    const isRight =
      SimulatedApplePaySession.supportsVersion(version) &&
      /^[A-Z]{2}$/.test(countryCode) &&
      /^[A-Z]{3}$/.test(currencyCode) &&
      supportedNetworks.length > 0 &&
      merchantCapabilities.includes('supports3DS') &&
      total.label !== '' &&
      /^\d{1,10}(?:\.\d{2,3})?$/.test(total.amount);
    if (!isRight) throw new TypeError('The request of this ApplePaySession is not valid.');
    this.#request = request;
  }

  begin() {
    if (open.size > 0) {
      throw new DOMException('Page already has an active payment session.', 'InvalidAccessError');
    }
    open.add(this);
    const { total, currencyCode } = this.#request;
    this.#sheet = openSheet({
      ...{ wallet: 'Apple Pay', payee: total.label, amount: `${total.amount} ${currencyCode}` },
      choices: [
        ['approve', 'Pay'],
        ['decline', 'Let it be declined'],
      ],
      onChoice: (choice) => void this.#authorize(choice),
      onCancel: () => this.#cancel(),
    });
    const validationURL = new URL('applePay/session', APPLE_PAY_BASE).href;
    this.onvalidatemerchant?.({ validationURL });
  }

  abort() {
    this.#close();
  }

  /** @param {MerchantSession} session */
  completeMerchantValidation({ merchantSessionIdentifier, domainName }) {
    const isOurs = domainName === location.hostname && merchantSessionIdentifier !== '';
    if (isOurs) this.#sheet?.ready();
    else this.#cancel();
  }

  /** @param {{ status: number } | number} result */
  completePayment(result) {
    const status = typeof result === 'number' ? result : result.status;
    const isPaid = status === SimulatedApplePaySession.STATUS_SUCCESS;
    this.#sheet?.waits(isPaid ? 'Done.' : 'Payment not completed.');
    this.#close();
  }

  /** @param {string} choice */
  async #authorize(choice) {
    this.#sheet?.waits('Processing.');
    const { total, currencyCode } = this.#request;
    const holder = choice === 'decline' ? APPLE_PAY_DECLINE : 'Jane Jones';
    const fields = { amount: total.amount, currency: currencyCode, 'card.holder': holder };
    try {
      const paymentData = JSON.parse(await newToken(APPLE_PAY_BASE.href, 'applePay', fields));
      const paymentMethod = { displayName: 'Visa 0000', network: 'Visa', type: 'debit' };
      this.onpaymentauthorized?.({ payment: { token: { paymentData, paymentMethod } } });
    } catch {
      // Without a token nothing is paid, as if the device had said so.
      this.#cancel();
    }
  }

  #cancel() {
    this.#close();
    this.oncancel?.({});
  }

  #close() {
    this.#sheet?.close();
    open.delete(this);
  }
}

// Where the browser has a wallet of its own, too: that one asks Apple, who knows nothing of tests.
Object.defineProperty(window, 'ApplePaySession', {
  ...{ configurable: true, writable: true, value: SimulatedApplePaySession },
});
