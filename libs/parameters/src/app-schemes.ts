import { catalogue } from './catalogue.js';
import type { Form } from './form.js';
import type { Kind } from './kinds.js';
import type { ParameterError } from './parameter-error.js';

const RESULT_URL = 'shopperResultUrl';

/** Of a URL in its form, which has one. */
const SCHEME = /^[^:]*/;
const OF_THE_WEB: readonly string[] = ['http', 'https'];

/**
 * What is wrong with the address that a shopper is to come back to, if it has its form: it is of an app
 * that nobody has registered. A browser opens whatever program the scheme belongs to (S-RED-01).
 * @param registered schemes of apps, in small letters
 */
export function unregisteredScheme(
  form: Form,
  kind: Kind,
  registered: readonly string[],
): readonly ParameterError[] {
  const { kinds, format } = catalogue[RESULT_URL];
  const url = form.get(RESULT_URL);
  const isRead = (kinds as readonly Kind[]).includes(kind);
  if (!isRead || url === undefined || !format.accepts(url)) return [];
  const scheme = SCHEME.exec(url)?.[0].toLowerCase() ?? '';
  if (OF_THE_WEB.includes(scheme) || registered.includes(scheme)) return [];
  const message = 'must be of the web, or of an app whose scheme is registered for the channel';
  return [{ name: RESULT_URL, message }];
}
