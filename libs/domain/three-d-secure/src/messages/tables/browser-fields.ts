import { browser, C, type Facts, ifLawful, R, type Row, since } from '../field-rows.js';
import { address, array, number, oneOf, pattern, truth, upTo, url } from '../formats.js';

/** Only a page with scripts can ask a browser for its screen. */
function hasScripts({ version, value }: Facts): boolean {
  return version === '2.1.0' || value('browserJavascriptEnabled') === true;
}

const withScripts = C('browserJavascriptEnabled is true; in 2.1.0 always', hasScripts);
const language = C(
  'always before 2.3.1; since then where browserJavascriptEnabled is true',
  (facts) => (facts.version === '2.3.1' ? hasScripts(facts) : true),
);
const pixels = pattern('1 to 6 digits', /^[0-9]{1,6}$/u);

/** What the shopper's browser is, and where it goes after a challenge. */
export const browserFields: readonly Row[] = [
  browser('browserAcceptHeader', 'The header Accept of the browser.', upTo(2_048), { AReq: R }),
  browser('browserIP', 'The address of the browser.', address, { AReq: ifLawful }),
  browser('browserJavascriptEnabled', 'Whether pages have scripts.', since('2.2.0', truth), {
    AReq: R,
  }),
  browser('browserJavaEnabled', 'navigator.javaEnabled.', truth, { AReq: withScripts }),
  browser(
    'browserLanguage',
    'navigator.language.',
    { '2.1.0': upTo(8), '2.3.1': upTo(35) },
    { AReq: language },
  ),
  browser('acceptLanguage', 'The header Accept-Language.', since('2.3.1', array(upTo(100), 99)), {
    AReq: R,
  }),
  browser(
    'browserColorDepth',
    'screen.colorDepth.',
    {
      '2.1.0': oneOf('1', '4', '8', '15', '16', '24', '32', '48'),
      '2.3.1': number(1, 99, 2),
    },
    { AReq: withScripts },
  ),
  browser('browserScreenHeight', 'screen.height.', pixels, { AReq: withScripts }),
  browser('browserScreenWidth', 'screen.width.', pixels, { AReq: withScripts }),
  browser(
    'browserTZ',
    'Minutes between the browser’s time and UTC; positive where it is behind.',
    pattern('a whole number, 1 to 5 characters', /^[+-]?[0-9]{1,4}$/u),
    { AReq: withScripts },
  ),
  browser('browserUserAgent', 'The header User-Agent.', upTo(2_048), { AReq: R }),
  browser('deviceId', 'An id of the device that does not change.', since('2.3.1', upTo(64)), {
    AReq: C('where it is known'),
  }),
  browser('userId', 'A hash of the account of the browser’s user.', since('2.3.1', upTo(64)), {
    AReq: C('where it is known'),
  }),
  browser('notificationURL', 'Where the browser takes CRes after a challenge.', url(256), {
    AReq: R,
  }),
];
