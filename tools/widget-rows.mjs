// What shops of the interface family use of the widget (wire contract 10), row by row.

/**
 * @typedef {object} WidgetRow
 * @property {string} name as shops write it
 * @property {RegExp} use how a page that uses it reads
 * @property {string} [sign] what a browser shows when it takes effect: `option locale`
 * @property {string} [notYet] why it has no effect
 *
 * @typedef {object} WidgetTable
 * @property {string} title
 * @property {readonly WidgetRow[]} rows
 */

/** @param {string} text */
const literally = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/**
 * An option by its path, `registrations.requireCvv`, or with one of its values, `style: card`.
 * @param {string} name
 * @param {string} [notYet]
 * @returns {WidgetRow}
 */
function option(name, notYet) {
  const [path = '', value] = name.split(': ');
  const [first = '', inner] = path.split('.');
  const within = inner === undefined ? '' : String.raw`\{[^}]*\b${inner}:`;
  const said = value === undefined ? '' : `'${value}'`;
  // Those of stored accounts are rows of their own.
  const without = inner === undefined ? String.raw`(?<!registrations:\s*\{[^}]*)` : '';
  return {
    name,
    use: new RegExp(String.raw`(?<![-.\w])${without}${first}:\s*${within}${said}`),
    sign: `option ${first}`,
    ...(notYet !== undefined && { notYet }),
  };
}

/** @param {string} name @param {string} [notYet] @returns {WidgetRow} */
function callback(name, notYet) {
  const use = new RegExp(String.raw`(?<![-.\w])${name}(?:[:(,]|\(\))`);
  return { name, use, sign: `callback ${name}`, ...(notYet !== undefined && { notYet }) };
}

/** @param {string} name @param {string} [notYet] @returns {WidgetRow} */
function className(name, notYet) {
  const use = new RegExp(String.raw`\.wpwl-${name}(?![-\w])`);
  const sign = `class wpwl-${name}`;
  return { name: `wpwl-${name}`, use, sign, ...(notYet !== undefined && { notYet }) };
}

/** @param {string} name @param {string} [notYet] @returns {WidgetRow} */
function brand(name, notYet) {
  const use = new RegExp(
    String.raw`(?:data-brands="|class="paymentWidgets">)[^"<]*(?<![\w.])${name}(?![a-z])`,
  );
  return { name, use, sign: `brand ${name}`, ...(notYet !== undefined && { notYet }) };
}

/** @param {string} name @returns {WidgetRow} */
const error = (name) => ({ name, use: new RegExp(`'${name}'`), sign: `error ${name}` });

/** @param {string} name the parameter, or how it begins @returns {WidgetRow} */
const input = (name) => ({
  name,
  use: new RegExp(`name="${literally(name)}`),
  sign: `input ${name}`,
});

/** @param {string} name @param {RegExp} use @param {string} [sign] @returns {WidgetRow} */
const way = (name, use, sign) => ({ name, use, ...(sign !== undefined && { sign }) });

/** All of them. @type {readonly WidgetTable[]} */
export const widgetTables = [
  {
    title: 'Loading',
    rows: [
      way(
        'a script element in the page',
        /<script\s[^>]*src="\{\{base\}\}\/v1\/paymentWidgets\.js/,
      ),
      way(
        'a script element that the page adds',
        /appendTo\('head'\)|appendChild\(script\)|append\(this\.script\)/,
      ),
      way('`checkoutId=…/registration`, URL-encoded', /\{\{idEncoded\}\}%2Fregistration/),
      way(
        '`integrity` and `crossorigin`',
        /integrity="\{\{integrity\}\}"\s+crossorigin="anonymous"/,
      ),
      way('scripts named `static.min.js` are removed', /static\.min\.js/),
      way('`data-brands`', /class="paymentWidgets"\s+data-brands=/),
      way("brands as the form's text", /class="paymentWidgets">\s*[A-Z]/),
      way('several forms', /class="paymentWidgets"[\s\S]*class="paymentWidgets"/),
      way('`wpwlOptions`', /\bwpwlOptions = /, 'global wpwlOptions'),
      way('`wpwl.unload()`', /wpwl\.unload\(\)/, 'global unload'),
      way('`wpwl.executePayment(id)`', /wpwl\.executePayment\(/, 'global executePayment'),
      way('`wpwl.checkout`', /wpwl\.checkout\./, 'global checkout'),
      way("the page's own jQuery", /\/lib\/jquery/),
    ],
  },
  {
    title: 'Options',
    rows: [
      ...['style: card', 'style: plain', 'style: logos', 'style: none'].map((name) => option(name)),
      ...['locale', 'requireCvv', 'registrations.requireCvv'].map((name) => option(name)),
      ...['registrations.hideInitialPaymentForms', 'hideInitialPaymentForms'].map((name) =>
        option(name),
      ),
      ...['paymentTarget', 'shopperResultTarget', 'brandDetection'].map((name) => option(name)),
      ...['brandDetectionType: regex', 'brandDetectionType: binlist'].map((name) => option(name)),
      ...['brandDetectionPriority', 'billingAddress', 'mandatoryBillingFields', 'maskCvv'].map(
        (name) => option(name),
      ),
      ...['labels', 'errorMessages', 'iframeStyles', 'showLabels', 'showPlaceholders'].map((name) =>
        option(name),
      ),
      ...['showCVVHint', 'disableSubmitOnEnter', 'autofocus', 'numberFormatting'].map((name) =>
        option(name),
      ),
      ...['allowEmptyCvv', 'allowEmptyCardHolderName', 'disableCardExpiryDateValidation'].map(
        (name) => option(name),
      ),
      option('enableSAQACompliance'),
      ...['applePay', 'googlePay', 'clickToPay', 'inlineFlow'].map((name) => option(name)),
      option('browser.threeDChallengeWindow'),
      ...['spinner', 'useSummaryPage', 'total', 'showTaxNumberField'].map((name) => option(name)),
      option('forceCardHolderEqualsBillingName'),
      option(
        'session',
        'no client shows what it asks for, and there is no session but the checkout',
      ),
    ],
  },
  {
    title: 'Callbacks',
    rows: [
      ...['onReady', 'onError', 'onSubmit', 'onAfterSubmit', 'onBeforeSubmitCard'].map((name) =>
        callback(name),
      ),
      ...['onBeforeSubmitCardPromise', 'onBeforeSubmitDirectDebit'].map((name) => callback(name)),
      ...['onBeforeSubmitOnlineTransfer', 'onBeforeSubmitVirtualAccount'].map((name) =>
        callback(name),
      ),
      ...['onDetectBrand', 'onChangeBrand', 'onReadyIframeCommunication'].map((name) =>
        callback(name),
      ),
      ...['onFocusIframeCommunication', 'onBlurIframeCommunication', 'onBlurCardNumber'].map(
        (name) => callback(name),
      ),
      ...['onBlurSecurityCode', 'onBlurExpiryDate', 'onBlurCardHolder'].map((name) =>
        callback(name),
      ),
      callback('onSaveTransactionData'),
      callback('onCancel'),
      callback('onDetectBin'),
    ],
  },
  {
    title: 'Errors',
    rows: [
      ...['InvalidCheckoutIdError', 'PciIframeSubmitError'].map(error),
      ...['PciIframeCommunicationError', 'WidgetError'].map(error),
    ],
  },
  {
    title: 'Classes',
    rows: [
      ...['container', 'container-card', 'form', 'form-card', 'form-has-inputs', 'clearfix'],
      ...['message', 'group', 'group-brand', 'group-cardNumber', 'group-expiry', 'group-cvv'],
      ...['group-cardHolder', 'group-billing', 'group-submit', 'label', 'label-brand', 'wrapper'],
      ...['wrapper-cardNumber', 'wrapper-brand', 'control', 'control-brand', 'control-cardNumber'],
      ...['control-expiry', 'control-cardHolder', 'control-cvv', 'control-iframe', 'has-error'],
      ...['hint', 'hint-cardNumberError', 'hint-cardHolderError', 'brand', 'brand-card'],
      ...['brand-VISA', 'brand-MASTER', 'brand-AMEX', 'brand-MADA', 'button', 'button-pay'],
      ...['button-error', 'registrations', 'form-registrations', 'registration', 'selected'],
      ...['group-registration', 'wrapper-registration-registrationId'],
      ...['wrapper-registration-brand', 'wrapper-registration-details'],
      ...['wrapper-registration-number', 'wrapper-registration-expiry'],
      ...['wrapper-registration-holder', 'wrapper-registration-cvv'],
      ...['form-virtualAccount-PAYPAL', 'form-virtualAccount-STC_PAY'],
      ...['group-brandLogo', 'button-brand', 'target', 'popover'],
      ...['group-paymentMode', 'group-mobilePhone', 'wrapper-radio-qrcode'],
      ...['wrapper-radio-mobile', 'control-radio-mobile'],
    ]
      .map((name) => className(name))
      .concat(className('apple-pay-button'), className('container-virtualAccount-CLICK_TO_PAY')),
  },
  {
    title: 'Inputs that pages put into the form',
    rows: [
      ...['createRegistration', 'customParameters[SHOPPER_', 'billing.'].map(input),
      input('recurring.numberOfInstallments'),
    ],
  },
  {
    title: 'Brands',
    rows: [
      ...['VISA', 'MASTER', 'AMEX', 'DINERS', 'DISCOVER', 'JCB', 'MAESTRO', 'MADA', 'ALIA'],
      ...['DIRECTDEBIT_SEPA', 'PAYPAL', 'STC_PAY', 'TABBY', 'TAMARA_EN', 'TAMARA_AR', 'ZOODPAY'],
      ...['VALU', 'ROCKETFUEL', 'KLARNA_', 'SOFORTUEBERWEISUNG', 'GIROPAY', 'IDEAL', 'EPS'],
      'ACI_INSTANTPAY',
    ]
      .map((name) => brand(name))
      .concat(['APPLEPAY', 'GOOGLEPAY', 'CLICK_TO_PAY'].map((name) => brand(name))),
  },
  {
    title: "A page's policy",
    rows: [
      way('`script-src` with the host', /script-src [^;]*\{\{base\}\}/),
      way("`script-src` with `'unsafe-eval'`", /script-src [^;]*'unsafe-eval'/),
      way(
        "`script-src` with a nonce that is `ndc`, which browsers ignore because it has a dot: the page works by `'unsafe-inline'` beside it",
        /script-src [^;]*'unsafe-inline'[^;]*'nonce-\{\{ndc\}\}'/,
      ),
      way("`style-src` with `'unsafe-inline'`", /style-src [^;]*'unsafe-inline'/),
      way(
        '`style-src`, `img-src` with the host',
        /style-src [^;]*\{\{base\}\}; img-src [^;]*\{\{base\}\}/,
      ),
      way(
        '`frame-src`, `connect-src` with the host',
        /frame-src [^;]*\{\{base\}\}; connect-src [^;]*\{\{base\}\}/,
      ),
      way('`form-action` with the host', /form-action [^;"]*\{\{base\}\}/),
    ],
  },
];
