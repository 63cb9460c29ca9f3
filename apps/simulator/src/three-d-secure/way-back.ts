import { html, type Html, plainPage, type PlainPage } from '@sluice/html';
import { challengeResult } from './challenge-result.js';
import type { Authentication } from './authentication-book.js';
import { encoded } from './messages.js';

/** Not those of the last page of a challenge, which leads back by itself. */
const fieldNames = { address: 'backTo', result: 'backWith', sessionData: 'backWithData' } as const;

/**
 * What a page of a challenge sends beside the answer: by this it leads back to the shop with a no, though the
 * simulator was started again and knows of no challenge any more. Apps have no such way.
 */
export function wayBackFields(authentication: Authentication): readonly Html[] {
  const { request, sessionData } = authentication;
  if (request.notificationUrl === undefined) return [];
  const fields = {
    [fieldNames.address]: request.notificationUrl,
    [fieldNames.result]: encoded(challengeResult(authentication, 'N')),
    ...(sessionData !== undefined && { [fieldNames.sessionData]: sessionData }),
  };
  return hidden(fields);
}

/** For a shopper whose challenge is forgotten; undefined where the form knows no way back. */
export function forgottenPage(form: URLSearchParams): PlainPage | undefined {
  const address = form.get(fieldNames.address);
  const cres = form.get(fieldNames.result);
  const threeDSSessionData = form.get(fieldNames.sessionData);
  if (!isWebAddress(address) || cres === null) return undefined;
  return plainPage({
    title: 'Test bank: you were forgotten',
    isFramed: true,
    main: html`<p role="alert">
        This page is of a simulator. It was started again while it asked you, and has forgotten what
        it asked, so it tells the shop that you have not confirmed.
      </p>
      <form method="post" action="${address}">
        ${hidden({ cres, ...(threeDSSessionData !== null && { threeDSSessionData }) })}
        <button class="main">Back to the shop</button>
      </form>`,
  });
}

/** Whether a browser can be sent there, and nothing runs. */
export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

function hidden(fields: Readonly<Record<string, string>>): readonly Html[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}
