import type { Authentication } from './authentication-book.js';
import type { AuthenticationRequest } from './authentication-request.js';
import { optionsOf, RIGHT_CODE } from './challenge-answers.js';
import { challengePage } from './challenge-pages.js';
import type { Message } from './messages.js';
import type { ChallengeKind } from './test-cards.js';

/** EMV `acsUiType`: which of the app's own screens asks. */
const NATIVE: Readonly<Record<ChallengeKind, string>> = {
  oneTimePassword: '01',
  singleSelect: '02',
  multiSelect: '03',
  outOfBand: '04',
};
const HTML = '05';
/** Where an SDK looks for the answer of a page (EMV 3-D Secure, HTML UI). */
const HTML_ACTION = 'HTTPS://EMV3DS/challenge';
const NOTE = 'This is a simulator: no bank asks you.';
const LABELS = {
  challengeInfoHeader: 'Test bank: is it you?',
  submitAuthenticationLabel: 'Confirm',
};

/** EMV `acsRenderingType`: the app's own screens, unless it has none. */
export function renderingOf(
  { sdkInterface }: Pick<AuthenticationRequest, 'sdkInterface'>,
  challenge: ChallengeKind,
): { readonly acsInterface: string; readonly acsUiTemplate: string } {
  if (sdkInterface === '02') return { acsInterface: '02', acsUiTemplate: HTML };
  return { acsInterface: '01', acsUiTemplate: NATIVE[challenge] };
}

/** What CRes says of the next screen. */
export function screenOf(authentication: Authentication): Message {
  const { decision, request, wrongAnswers } = authentication;
  const { challenge } = decision;
  const { acsUiTemplate } = renderingOf(request, challenge);
  if (acsUiTemplate === HTML) {
    const page = challengePage(authentication, HTML_ACTION).body;
    const asSdksWant = page.replace('method="post"', 'method="get"');
    return { acsUiType: HTML, acsHTML: Buffer.from(asSdksWant).toString('base64url') };
  }
  const wrong = wrongAnswers === 0 ? {} : { challengeInfoTextIndicator: 'Y' };
  return { acsUiType: acsUiTemplate, ...LABELS, ...wrong, ...ASKED[challenge]() };
}

const ASKED: Readonly<Record<ChallengeKind, () => Message>> = {
  oneTimePassword: () => ({
    challengeInfoLabel: 'Code from your text message',
    challengeInfoText: `${NOTE} The code ${RIGHT_CODE} is right.`,
  }),
  singleSelect: () => chosen('singleSelect'),
  multiSelect: () => chosen('multiSelect'),
  outOfBand: () => ({
    challengeInfoText: `${NOTE} Go on, and it says yes.`,
    oobContinueLabel: 'Go on',
  }),
};

function chosen(kind: 'multiSelect' | 'singleSelect'): Message {
  const all = optionsOf(kind);
  const right = all.filter(({ isRight }) => isRight).map(({ label }) => label.toLowerCase());
  return {
    challengeInfoLabel: 'Where have you bought before?',
    challengeInfoText: `${NOTE} Right: ${right.join(' and ')}.`,
    challengeSelectInfo: all.map(({ label }, at) => ({ [String(at + 1)]: label })),
  };
}
