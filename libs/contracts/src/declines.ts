import { avsResponses, cvvResponses } from './card-checks.js';
import { closed, described, formed, oneOf, text, texts } from './schema.js';

/** What an acquirer says beside its yes or no. */
export const checks = {
  resultDetails: described(texts, '`resultDetails.*` by name without prefix (Interface 2.2).'),
  avsResponse: oneOf(avsResponses, 'Interface 2.2.'),
  cvvResponse: oneOf(cvvResponses, 'Interface 2.2.'),
};

/** The no to an attempt that something else follows. */
export const decline = closed(
  { resultCode: formed('^[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$') },
  { connectorTxId: text, ...checks },
);
