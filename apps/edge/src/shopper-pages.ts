import type { Precondition, Redirect } from '@sluice/contracts';
import { type Html, html, plainPage, type PlainPage } from '@sluice/html';

/** What is loaded out of sight may fail, and the shopper goes on (wire contract 5). */
const PRECONDITIONS_WITHIN_MS = 10_000;

const SUBMIT = 'document.forms[0].submit()';

/** Goes on by itself; without JavaScript, by a button. */
export function formTo(url: string, parameters: Redirect['parameters']): PlainPage {
  return plainPage({
    title: 'On to your bank',
    main: html`<p>Your payment goes on at ${new URL(url).host}.</p>
      <form method="post" action="${url}">
        ${fieldsOf(parameters)}
        <button class="main">Continue</button>
      </form>`,
    script: SUBMIT,
    isFramed: true,
  });
}

function fieldsOf(parameters: Redirect['parameters']): readonly Html[] {
  return Object.entries(parameters).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}

/** What the widget calls the frame that it shows a bank in begins so (page 0065). */
const LEAVE_FRAME = `const { href } = document.links[0];
const goOn = () => location.replace(href);
if (name.startsWith('wpwl-target-')) {
  parent.postMessage({ kind: 'returned', url: href }, '*');
  setTimeout(goOn, 3000);
} else goOn();`;

/**
 * From the frame of a page to the shop: a widget that has made the frame goes on in its own window, because
 * what is paid is read once, and not by a page inside of another one. In any other frame it is as without it.
 */
export function backFromFrame(url: string): PlainPage {
  return plainPage({
    title: 'Back to the shop',
    main: html`<p><a class="button main" href="${url}" target="_parent">Continue</a></p>`,
    script: LEAVE_FRAME,
    isFramed: true,
  });
}

/** For an id that nobody knows, and where nothing is left to do. */
export const NO_PAYMENT = plainPage({
  title: 'There is no such payment',
  main: html`<p>The address is wrong, or nothing is left to do here. Go back to the shop.</p>`,
  isFramed: true,
});

/** Where nobody knows any more where the shop is. */
export const BACK_BY_HAND = plainPage({
  title: 'You are done here',
  main: html`<p>You can close this page and go back to the shop.</p>`,
  isFramed: true,
});

/** While nobody can be asked. */
export const TRY_AGAIN = plainPage({
  title: 'Please try again in a moment',
  main: html`<p>
    We cannot look up your payment right now. Nothing is lost: load this page again.
  </p>`,
  isFramed: true,
});

/** Tells the page around it, whichever that is, that what it was loaded for is done. */
const TELL_PREPARED = "parent.postMessage({ kind: 'prepared' }, '*')";

/** What a hidden frame ends with, once the issuer has looked at the browser. */
export const PREPARED = plainPage({
  title: 'Done',
  main: html`<p>Nothing is left to do here.</p>`,
  script: TELL_PREPARED,
  isFramed: true,
});

/** Goes on once all frames have said that they are done, or time is over. */
const PREPARE = `const goOn = () => location.replace(document.links[0].href);
const frames = new Set([...document.querySelectorAll('iframe')].map((frame) => frame.contentWindow));
addEventListener('message', ({ source, origin, data }) => {
  if (origin !== location.origin || data?.kind !== 'prepared') return;
  if (frames.delete(source) && frames.size === 0) goOn();
});
setTimeout(goOn, ${PRECONDITIONS_WITHIN_MS});
for (const form of document.forms) form.submit();`;

/** Frames of issuers, which lead to whatever is theirs, and then to us. */
const FRAME_SOURCES = ["'self'", 'https:'] as const;

/**
 * Loads what comes before, in frames that nobody sees, and goes on then; without JavaScript there is nothing
 * that an issuer could look at, and a button.
 * @param onward where it goes on, seen from this page
 */
export function preparing(preconditions: readonly Precondition[], onward: string): PlainPage {
  const loaded = preconditions.map((precondition, index) =>
    frameOf(precondition, `before-${String(index)}`),
  );
  const origins = preconditions.map(({ url }) => new URL(url).origin);
  return plainPage({
    title: MOMENT,
    main: html`${ASKING}${goOnTo(onward)}${loaded}`,
    script: PREPARE,
    isFramed: true,
    frameSources: [...new Set([...FRAME_SOURCES, ...origins])],
  });
}

function frameOf({ url, method, parameters }: Precondition, name: string): Html {
  if (method === 'GET') {
    return html`<iframe hidden src="${addressOf({ url, parameters })}" title="${UNSEEN}"></iframe>`;
  }
  return html`<iframe hidden name="${name}" title="${UNSEEN}"></iframe>
    <form hidden method="post" action="${url}" target="${name}">${fieldsOf(parameters)}</form>`;
}

const UNSEEN = 'Nothing to see';

/** Where a browser goes by GET. */
export function addressOf({ url, parameters }: Pick<Redirect, 'url' | 'parameters'>): string {
  const address = new URL(url);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.append(name, value);
  return address.href;
}

/** How long a browser waits before it comes again. */
const COMES_AGAIN_AFTER_S = 2;

/**
 * While somebody is being asked: comes again by itself, without JavaScript too.
 * @param onward where it comes to, seen from this page
 */
export function waiting(onward: string): PlainPage {
  const { body, headers } = plainPage({
    title: MOMENT,
    main: html`${ASKING}${goOnTo(onward)}`,
    isFramed: true,
  });
  return { body, headers: { ...headers, refresh: `${COMES_AGAIN_AFTER_S};url=${onward}` } };
}

const MOMENT = 'One moment, please';
const ASKING = html`<p role="status">Your bank is being asked. This page goes on by itself.</p>`;

function goOnTo(onward: string): Html {
  return html`<p><a class="button main" href="${onward}">Continue</a></p>`;
}
