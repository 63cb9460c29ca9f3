import { describe, expect, it } from '@jest/globals';
import { notServed } from './options-not-served.js';
import { readOptions } from './options.js';

const complaintsOf = (given: object) => readOptions(given).complaints;

describe('the options of a page', () => {
  it('may be absent', () => {
    for (const given of [undefined, null, {}]) {
      const { options, complaints } = readOptions(given);
      expect(complaints).toEqual([]);
      expect(options).toMatchObject({ style: 'card', requireCvv: true, brandDetection: true });
    }
  });

  it('are taken as they are meant', () => {
    const given = {
      ...{
        style: 'plain',
        locale: 'de-AT',
        maskCvv: 'true',
        showLabels: false,
        labels: { cvv: 'CVC' },
      },
      ...{ paymentTarget: '_top', autofocus: 'card.number', enableSAQACompliance: true },
      ...{ brandDetectionType: 'regex', brandDetectionPriority: ['MADA', 'VISA'] },
      iframeStyles: { 'card-number-placeholder': { color: 'red', 'font-size': 16 } },
      onReady: undefined,
    };
    const { options, complaints } = readOptions(given);
    expect(complaints).toEqual([]);
    expect(options).toMatchObject({
      ...{
        style: 'plain',
        locale: 'de-AT',
        maskCvv: true,
        showLabels: false,
        labels: { cvv: 'CVC' },
      },
      ...{ shopperResultTarget: '_top', autofocus: 'card.number' },
      brandDetectionPriority: ['MADA', 'VISA'],
      iframeStyles: { 'card-number-placeholder': { color: 'red', 'font-size': '16' } },
    });
  });

  it('say how stored accounts are shown, in either of two places', () => {
    const shownBy = (given: object) => readOptions(given).options.registrations;
    expect(shownBy({})).toEqual({ requireCvv: false, hideInitialPaymentForms: false });
    expect(
      shownBy({ registrations: { requireCvv: 'true' }, hideInitialPaymentForms: true }),
    ).toEqual({ requireCvv: true, hideInitialPaymentForms: true });
    expect(shownBy({ registrations: { hideInitialPaymentForms: true } })).toEqual({
      ...{ requireCvv: false, hideInitialPaymentForms: true },
    });
  });

  it('ask for an address, with what stands there first and what must not be empty', () => {
    const askedBy = (given: object) => readOptions(given).options.billingAddress;
    expect(askedBy({})).toBeUndefined();
    expect(askedBy({ billingAddress: false })).toBeUndefined();
    expect(askedBy({ billingAddress: true })).toEqual({ given: {}, mandatory: {} });
    // In whatever order they are written.
    const given = {
      mandatoryBillingFields: { state: 'true' },
      billingAddress: { postcode: 10115 },
    };
    expect(readOptions(given)).toMatchObject({
      options: { billingAddress: { given: { postcode: '10115' }, mandatory: { state: true } } },
      complaints: [],
    });
  });

  it('say what is written of the amount, in one way or another', () => {
    const totals = [true, 'true', '92.00 EUR', 92, false, 'false', ''];
    expect(totals.map((total) => readOptions({ total }).options.total)).toEqual([
      ...['true', 'true', '92.00 EUR', '92', '', '', ''],
    ]);
  });

  it('say what turns while something is under way', () => {
    const spinnerOf = (spinner: unknown) => readOptions({ spinner }).options.spinner;
    expect(readOptions({}).options.spinner).toBeUndefined();
    expect(spinnerOf(false)).toBeUndefined();
    expect(spinnerOf(true)).toEqual({ color: 'currentcolor', lines: 12 });
    expect(spinnerOf({ color: '#333' })).toEqual({ color: '#333', lines: 12 });
    expect(spinnerOf({ lines: 8 })).toEqual({ color: 'currentcolor', lines: 8 });
  });

  it('say in which window a bank asks', () => {
    const sizeOf = (given: object) => readOptions(given).options.challengeSize;
    expect(sizeOf({})).toBeUndefined();
    expect(sizeOf({ browser: { threeDChallengeWindow: '05' } })).toBe(5);
  });

  it('name what stays in the page anyway', () => {
    const { complaints } = readOptions({ inlineFlow: ['APPLEPAY', 'GOOGLEPAY', 'VISA'] });
    expect(complaints).toEqual([]);
  });

  it('have brands found by a list, of whose ranges the page is told, in any order', () => {
    const given = { onDetectBin: () => undefined, brandDetectionType: 'binlist' };
    const { options, complaints } = readOptions(given);
    expect(complaints).toEqual([]);
    expect(options.brandDetectionType).toBe('binlist');
  });

  it('have callbacks, which are functions', () => {
    const onReady = () => undefined;
    expect(readOptions({ onReady }).options.callbacks).toEqual({ onReady });
    expect(complaintsOf({ onReady: 'ready' })).toEqual(['wpwlOptions.onReady is a function.']);
  });

  it.each([
    [{ style: 'logo' }, 'style is one of card, plain, logos, none'],
    [{ requireCvv: 'perhaps' }, 'requireCvv is true or false'],
    [{ locale: 'xx' }, 'locale is no language of this form'],
    [{ brandDetectionType: 'table' }, 'brandDetectionType is one of regex, binlist'],
    [{ onDetectBin: () => undefined }, 'onDetectBin is called where brands are found by a list'],
    [
      { onDetectBin: () => undefined, brandDetectionType: 'binlist', brandDetection: false },
      'onDetectBin is called where brands are found by a list',
    ],
    [{ shopperResultTarget: 'frame' }, 'shopperResultTarget is one of _self'],
    [{ enableSAQACompliance: false }, 'enableSAQACompliance is true'],
    [{ registrations: true }, 'registrations has requireCvv and hideInitialPaymentForms'],
    [{ registrations: { deletable: true } }, 'registrations has requireCvv'],
    [{ registrations: { requireCvv: 1 } }, 'registrations has requireCvv'],
    [{ hideInitialPaymentForms: 1 }, 'hideInitialPaymentForms is true or false'],
    [{ billingAddress: 'yes' }, 'billingAddress is true, or an object of texts'],
    [{ billingAddress: { street: 'x' } }, 'billingAddress is true, or an object of texts'],
    [{ mandatoryBillingFields: { city: true } }, 'mandatoryBillingFields is of the fields'],
    [
      { billingAddress: true, mandatoryBillingFields: { city: 1 } },
      'mandatoryBillingFields says true or false',
    ],
    [{ total: {} }, 'total is true, or the amount'],
    [{ total: '' }, 'total is true, or the amount'],
    [{ spinner: 'fast' }, 'spinner is true, or an object with color and lines (2 to 24)'],
    [{ spinner: { lines: 1 } }, 'spinner is true'],
    [{ spinner: { lines: '8' } }, 'spinner is true'],
    [{ spinner: { shadow: true } }, 'spinner is true'],
    [{ browser: { threeDChallengeWindow: 6 } }, 'browser has threeDChallengeWindow, from 1 to 5'],
    [{ browser: { threeDChallengeWindow: 1, x: 1 } }, 'browser has threeDChallengeWindow'],
    [{ browser: 5 }, 'browser has threeDChallengeWindow'],
    [{ useSummaryPage: 1 }, 'useSummaryPage is true or false'],
    [{ labels: 'x' }, 'labels is an object of texts'],
    [{ iframeStyles: { 'card-number': {} } }, 'iframeStyles has card-number-placeholder'],
    [{ applePay: true }, 'applePay is an object'],
    [{ inlineFlow: 'PAYPAL' }, 'inlineFlow is a list of brands'],
    [{ inlineFlow: ['APPLEPAY', 'PAYPAL'] }, 'inlineFlow keeps no PAYPAL in the page: providers'],
    [{ maskCVV: true }, 'maskCVV is no option of this form; maskCvv is one'],
    [{ toString: 1 }, 'toString is no option of this form.'],
  ])('%j is told of', (given, sentence) => {
    const [complaint, ...more] = complaintsOf(given);
    expect(complaint).toContain(`wpwlOptions.${sentence}`);
    expect(more).toEqual([]);
  });

  it('are each served or told of', () => {
    const sectionTen = `style onReady locale onError requireCvv onBeforeSubmitCard registrations
      hideInitialPaymentForms paymentTarget shopperResultTarget brandDetection brandDetectionType
      brandDetectionPriority applePay googlePay browser billingAddress mandatoryBillingFields maskCvv
      clickToPay labels iframeStyles errorMessages spinner session showLabels showPlaceholders
      showCVVHint useSummaryPage total disableSubmitOnEnter autofocus inlineFlow numberFormatting
      allowEmptyCvv allowEmptyCardHolderName disableCardExpiryDateValidation enableSAQACompliance
      showTaxNumberField forceCardHolderEqualsBillingName onAfterSubmit onSaveTransactionData
      onFocusIframeCommunication onBlurIframeCommunication onDetectBrand onBlurCardNumber
      onReadyIframeCommunication onChangeBrand onCancel onBlurSecurityCode onBlurExpiryDate
      onBlurCardHolder onBeforeSubmitDirectDebit onBeforeSubmitOnlineTransfer
      onBeforeSubmitVirtualAccount onDetectBin onBeforeSubmitCardPromise onSubmit`.split(/\s+/);
    for (const name of sectionTen) {
      const [complaint = ''] = complaintsOf({ [name]: Symbol.iterator });
      expect(complaint).not.toContain('is no option');
      expect([name, complaint.includes('not served')]).toEqual([name, notServed.has(name)]);
    }
  });

  it('say where a page is told of what is saved, and where it is not', () => {
    const onSaveTransactionData = () => undefined;
    expect(complaintsOf({ onSaveTransactionData, useSummaryPage: true })).toEqual([]);
    expect(complaintsOf({ onSaveTransactionData })).toEqual([
      'wpwlOptions.onSaveTransactionData is called only where useSummaryPage is true.',
    ]);
  });

  it('are never HTML: labels are texts', () => {
    const markup = '<img src=x onerror=alert(1)>';
    expect(readOptions({ labels: { cvv: markup, other: markup } }).options.labels).toEqual({
      cvv: markup,
    });
  });
});
