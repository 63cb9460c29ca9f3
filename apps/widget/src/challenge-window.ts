import { setShown } from './away.js';
import type { Texts } from './english.js';
import { newFormName } from './form-name.js';
import { leaveTo, prepared, showIn } from './onward.js';
import type { Options } from './options.js';
import { isAddress } from './result-address.js';
import type { Redirect } from './sent-answer.js';

/** Which of the sizes that 3-D Secure names it is. */
export type ChallengeSize = 1 | 2 | 3 | 4 | 5;

/** Width and height in pixels; the fifth is the whole window. */
const SIZES: Readonly<Record<ChallengeSize, readonly [number, number] | undefined>> = {
  ...{ 1: [250, 400], 2: [390, 400], 3: [500, 600], 4: [600, 400], 5: undefined },
};

/** The size that a shop has named: `5`, `'05'`. */
export function challengeSize(said: unknown): ChallengeSize | undefined {
  if (typeof said !== 'number' && typeof said !== 'string') return undefined;
  return /^0?[1-5]$/.test(String(said)) ? (Number(said) as ChallengeSize) : undefined;
}

/** Whether a redirect leads to a bank, by the gateway's own address (page 0053), and not back to the shop. */
export function isToBank({ url }: Pick<Redirect, 'url'>): boolean {
  return /\/redirects\/[0-9a-f]{32}$/i.test(new URL(url).pathname);
}

/** What such a window is opened with. */
export interface ChallengeParts {
  readonly redirect: Redirect;
  readonly size: ChallengeSize;
  /** Of the form, which is hidden meanwhile. */
  readonly container: HTMLElement;
  readonly texts: Pick<Texts, 'confirm' | 'cancel'>;
  readonly target: Options['shopperResultTarget'];
  /** The shopper wants the form back. */
  readonly givenUp: () => void;
}

/**
 * The page of a bank in a frame of the shop's page, in the place of the form, until the gateway says where
 * to go on. It is not there to be seen before something is in it, since most shoppers are asked nothing. Whoever
 * closes it has the form again: what is sent then is in its place (page 0064).
 * @returns takes it away
 */
export function openChallenge(parts: ChallengeParts): () => void {
  const { redirect, size, container, texts, target, givenUp } = parts;
  const form = container.querySelector('form');
  const around = document.createElement('div');
  around.className = 'wpwl-popover';
  around.setAttribute('role', 'dialog');
  around.setAttribute('aria-label', texts.confirm);
  const frame = frameOf(size, texts.confirm);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'wpwl-button wpwl-button-other wpwl-button-cancel';
  button.textContent = texts.cancel;
  around.append(frame, button);
  if (SIZES[size] === undefined) coverWindow(around, frame);
  const shownAs = around.style.display;
  const { origin } = new URL(redirect.url);
  const close = (): void => {
    removeEventListener('message', returned);
    around.remove();
    if (form !== null) setShown(form, true);
  };
  const returned = ({ source, origin: from, data }: MessageEvent<unknown>): void => {
    if (source !== frame.contentWindow || from !== origin) return;
    const url = addressIn(data);
    if (url === undefined) return;
    close();
    leaveTo({ url, method: 'GET', parameters: [] }, target);
  };
  const appear = (): void => {
    if (form !== null) setShown(form, false);
    around.style.display = shownAs;
    frame.focus();
  };
  button.onclick = () => {
    close();
    givenUp();
  };
  addEventListener('message', returned);
  setShown(around, false);
  container.append(around);
  void prepared(redirect).then(() => {
    // The gateway's own page, which then leads to the bank, or has led out of the frame already.
    frame.addEventListener('load', appear, { once: true });
    showIn(frame, redirect);
  });
  return close;
}

function frameOf(size: ChallengeSize, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.className = 'wpwl-target';
  // By which the gateway knows on its way back that there is somebody to tell.
  frame.name = `wpwl-target-${newFormName()}`;
  frame.title = title;
  const pixels = SIZES[size];
  if (pixels !== undefined) {
    [frame.width, frame.height] = pixels.map(String) as [string, string];
    frame.style.maxWidth = '100%';
  }
  return frame;
}

/** Whatever the style, because nothing else makes it the whole window. */
function coverWindow(around: HTMLElement, frame: HTMLElement): void {
  Object.assign(around.style, {
    ...{ position: 'fixed', inset: '0', zIndex: '2147483647', display: 'flex' },
    ...{ flexDirection: 'column', gap: '.5rem', padding: '.5rem', background: 'canvas' },
    color: 'canvastext',
  });
  Object.assign(frame.style, { flex: '1', width: '100%', height: '100%', minHeight: '0' });
}

/** Only the gateway's own page says so; an address that runs something would not be one. */
function addressIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { kind, url } = data as { readonly kind?: unknown; readonly url?: unknown };
  return kind === 'returned' && typeof url === 'string' && isAddress(url) ? url : undefined;
}
