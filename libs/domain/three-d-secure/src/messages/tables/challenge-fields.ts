import { app, browser, C, isIn, O, R, type Row, since } from '../field-rows.js';
import {
  array,
  base64url,
  codes,
  needed,
  number,
  object,
  oneOf,
  onlyTrue,
  pattern,
  possible,
  upTo,
  url,
} from '../formats.js';

const counter = number(0, 255, 3, 3);
const label = upTo(45);
const onScreen = C('as the kind of screen has it (acsUiType)');
const entered = C('where the shopper did so');
const isFinal = isIn('challengeCompletionInd', 'Y');

const pictures = object('pictures', {
  medium: possible(url(2_048)),
  high: possible(url(2_048)),
  extraHigh: possible(url(2_048)),
});
const picturesByMode = object('pictures', {
  default: needed(url(2_048)),
  dark: possible(url(2_048)),
  monochrome: possible(url(2_048)),
});

const box = object('a box for text', {
  challengeDataEntryLabel: needed(label),
  challengeDataEntryKeyboardType: possible(oneOf('01', '02')),
  challengeDataEntryAutofill: possible(oneOf('Y')),
  challengeDataEntryAutofillType: possible(oneOf('01', '02')),
  challengeDataEntryLengthMax: possible(number(1, 45, 2, 2)),
  challengeDataEntryMasking: possible(oneOf('Y', 'N')),
  challengeDataEntryToggle: possible(oneOf('Y', 'N')),
});

const choice = pattern('up to 4 characters', /^.{1,4}$/u);

/** Browsers: the frame of the challenge and its end. Apps: the screens, which our server never sees. */
export const challengeFields: readonly Row[] = [
  browser(
    'challengeWindowSize',
    'How large the frame is: 01 250x400, 02 390x400, 03 500x600, 04 600x400, 05 the whole screen.',
    oneOf('01', '02', '03', '04', '05'),
    { CReq: R },
  ),
  browser(
    'transStatus',
    'How the challenge ended; results (RReq) are the truth.',
    { '2.1.0': oneOf('Y', 'N'), '2.3.1': oneOf('Y', 'N', 'D') },
    {
      CRes: R,
    },
  ),
  app(
    'transStatus',
    'How the challenge ended; results (RReq) are the truth.',
    { '2.1.0': oneOf('Y', 'N'), '2.3.1': oneOf('Y', 'N', 'D') },
    {
      CRes: C('challengeCompletionInd is Y', isFinal),
    },
  ),
  app('challengeCompletionInd', 'Whether the challenge is over.', oneOf('Y', 'N'), { CRes: R }),
  app('acsCounterAtoS', 'Counts the messages to the app.', counter, { CRes: R }),
  app('sdkCounterStoA', 'Counts the messages of the app.', counter, { CReq: R }),
  app(
    'acsUiType',
    'What kind of screen comes next.',
    { '2.1.0': codes('01', '05'), '2.3.1': codes('01', '07') },
    {
      CRes: C('challengeCompletionInd is N', isIn('challengeCompletionInd', 'N')),
    },
  ),
  app(
    'acsHTML',
    'The screen as a page.',
    { '2.1.0': base64url(100_000), '2.3.1': base64url(300_000) },
    { CRes: C('acsUiType is 05 or 06', isIn('acsUiType', '05', '06')) },
  ),
  app(
    'acsHTMLRefresh',
    'The page that comes when the app is opened again.',
    { '2.1.0': base64url(100_000), '2.3.1': null },
    {
      CRes: O,
    },
  ),
  app('challengeInfoHeader', 'The headline.', label, { CRes: onScreen }),
  app('challengeInfoLabel', 'What is to be entered.', label, { CRes: onScreen }),
  app('challengeInfoText', 'What the issuer says.', upTo(350), { CRes: onScreen }),
  app('challengeInfoTextIndicator', 'Whether it is a warning.', oneOf('Y', 'N'), {
    CRes: onScreen,
  }),
  app('challengeSelectInfo', 'What can be chosen.', array(choices(), 8), { CRes: onScreen }),
  app(
    'challengeAddInfo',
    'More that the issuer says.',
    { '2.1.0': upTo(256), '2.3.1': null },
    {
      CRes: onScreen,
    },
  ),
  app('challengeAddLabel', 'One more button.', since('2.3.1', label), { CRes: onScreen }),
  app('challengeEntryBox', 'The box for text.', since('2.3.1', box), { CRes: onScreen }),
  app('challengeEntryBoxTwo', 'A second one.', since('2.3.1', box), { CRes: onScreen }),
  app('expandInfoLabel', 'The headline of what can be unfolded.', label, { CRes: O }),
  app('expandInfoText', 'What can be unfolded.', upTo(256), { CRes: O }),
  app('whyInfoLabel', 'The headline of why the shopper is asked.', label, { CRes: O }),
  app('whyInfoText', 'Why the shopper is asked.', upTo(256), { CRes: O }),
  app(
    'issuerImage',
    'The issuer’s mark.',
    { '2.1.0': pictures, '2.3.1': picturesByMode },
    { CRes: O },
  ),
  app(
    'psImage',
    'The network’s mark.',
    { '2.1.0': pictures, '2.3.1': picturesByMode },
    { CRes: O },
  ),
  app(
    'oobAppURL',
    'Opens the issuer’s app.',
    { '2.1.0': upTo(256), '2.3.1': url(2_048) },
    { CRes: onScreen },
  ),
  app('oobAppLabel', 'The button for that.', label, { CRes: onScreen }),
  app('oobContinueLabel', 'The button after that.', label, { CRes: onScreen }),
  app('infoContinueLabel', 'The button under what was only to be read.', since('2.3.1', label), {
    CRes: onScreen,
  }),
  app('resendInformationLabel', 'The button for another code.', label, { CRes: onScreen }),
  app('submitAuthenticationLabel', 'The button that sends what was entered.', label, {
    CRes: onScreen,
  }),
  app(
    'whitelistingInfoText',
    'Asks whether the shopper trusts the merchant.',
    { '2.2.0': upTo(64), '2.3.1': null },
    { CRes: O },
  ),
  app(
    'trustListInfoText',
    'Asks whether the shopper trusts the merchant.',
    since('2.3.1', upTo(64)),
    { CRes: O },
  ),
  app(
    'deviceBindingInfoText',
    'Asks whether the device is to be remembered.',
    since('2.3.1', upTo(64)),
    { CRes: O },
  ),
  app('togglePositionInd', 'Those questions are above the buttons.', since('2.3.1', oneOf('01')), {
    CRes: O,
  }),
  app(
    'threeDSRequestorAppURL',
    'Opens the merchant’s app again.',
    { '2.2.0': upTo(256), '2.3.1': url(2_048) },
    {
      CReq: C('where the app has one'),
    },
  ),
  app(
    'challengeCancel',
    'Why the app ends the challenge.',
    { '2.1.0': codes('01', '07'), '2.2.0': codes('01', '08'), '2.3.1': codes('03', '10', '01') },
    {
      CReq: entered,
    },
  ),
  app('challengeDataEntry', 'What the shopper entered.', label, { CReq: entered }),
  app(
    'challengeDataEntryTwo',
    'What the shopper entered in the second box.',
    since('2.3.1', label),
    { CReq: entered },
  ),
  app('challengeHTMLDataEntry', 'What the shopper entered in the page.', upTo(256), {
    CReq: entered,
  }),
  app(
    'challengeNoEntry',
    'The shopper entered nothing.',
    { '2.2.0': oneOf('Y') },
    { CReq: entered },
  ),
  app('challengeAddCode', 'The shopper took the other button.', since('2.3.1', oneOf('Y')), {
    CReq: entered,
  }),
  app('infoContinueIndicator', 'The shopper has read it.', since('2.3.1', onlyTrue), {
    CReq: entered,
  }),
  app(
    'oobContinue',
    'The shopper comes back from the issuer’s app.',
    { '2.1.0': onlyTrue, '2.3.1': oneOf('01', '02') },
    { CReq: entered },
  ),
  app('oobAppStatus', 'The issuer’s app could not be opened.', since('2.3.1', oneOf('01')), {
    CReq: entered,
  }),
  app(
    'oobAppURLInd',
    'Whether the issuer’s app can be opened: 01 yes, 02 not by the device, 03 not by the merchant.',
    since('2.3.1', codes('01', '03')),
    { CReq: R },
  ),
  app(
    'resendChallenge',
    'The shopper wants another code.',
    { '2.1.0': oneOf('Y', 'N'), '2.3.1': oneOf('Y') },
    { CReq: entered },
  ),
  app(
    'whitelistingDataEntry',
    'Whether the shopper trusts the merchant.',
    { '2.2.0': oneOf('Y', 'N'), '2.3.1': null },
    { CReq: entered },
  ),
  app(
    'trustListDataEntry',
    'Whether the shopper trusts the merchant.',
    since('2.3.1', oneOf('Y', 'N')),
    { CReq: entered },
  ),
  app(
    'deviceBindingDataEntry',
    'Whether the device is to be remembered.',
    since('2.3.1', oneOf('Y', 'N')),
    { CReq: entered },
  ),
];

/** One name with one text each; the names are the issuer's. */
function choices() {
  return {
    text: 'an object: a name of at most 4 characters with a text of at most 45',
    kind: 'object' as const,
    faultsIn: (value: unknown, element: string, version: '2.1.0' | '2.2.0' | '2.3.1') => {
      const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : [];
      const [pair] = pairs;
      const isOne =
        pairs.length === 1 &&
        pair !== undefined &&
        choice.faultsIn(pair[0], element, version).length === 0 &&
        label.faultsIn(pair[1], element, version).length === 0;
      return isOne ? [] : [{ code: '203' as const, element }];
    },
  };
}
