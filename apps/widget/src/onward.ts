import { setShown } from './away.js';
import { newFormName } from './form-name.js';
import type { Target } from './options.js';
import type { PaymentFormParts } from './payment-form.js';
import { resultAddress } from './result-address.js';
import type { Onward, Redirect, Sent } from './sent-answer.js';

/** What is loaded out of sight may fail, and the shopper goes on (wire contract 5). */
const PRECONDITION_WITHIN_MS = 10_000;

/** Sends the browser on after a form: to where the answer says, or back to the shop. */
export function goOnAfter(
  { redirect }: Sent & { readonly kind: 'accepted' },
  { options, form, checkout }: Pick<PaymentFormParts, 'options' | 'form' | 'checkout'>,
): void {
  const target = options.shopperResultTarget;
  if (redirect !== undefined) {
    void prepared(redirect).then(() => leaveTo(redirect, target));
    return;
  }
  const url = resultAddress(form.action, checkout);
  leaveTo({ url, method: 'GET', parameters: [] }, target);
}

/** Loads what has to be loaded before a redirect. */
export async function prepared({ preconditions }: Redirect): Promise<void> {
  for (const precondition of preconditions) await loadOutOfSight(precondition);
}

/** Sends a window on. */
export function leaveTo(onward: Onward, target: Target): void {
  if (onward.method === 'POST') sendForm(onward, target);
  else window.open(addressOf(onward), target);
}

/** Shows in a frame of this page what a redirect leads to. */
export function showIn(frame: HTMLIFrameElement, onward: Onward): void {
  if (onward.method === 'GET') frame.src = addressOf(onward);
  else sendForm(onward, frame.name);
}

/** The address as it was told, unless there is something to add. */
function addressOf({ url, parameters }: Onward): string {
  if (parameters.length === 0) return url;
  const address = new URL(url);
  for (const { name, value } of parameters) address.searchParams.append(name, value);
  return address.href;
}

function sendForm({ url, parameters }: Onward, target: string): void {
  const form = document.createElement('form');
  form.method = 'POST';
  form.action = url;
  form.target = target;
  setShown(form, false);
  for (const { name, value } of parameters) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

async function loadOutOfSight(onward: Onward): Promise<void> {
  const frame = document.createElement('iframe');
  setShown(frame, false);
  frame.name = `sluice-${newFormName()}`;
  // The issuer's page looks at the browser once it is loaded, and leads to the gateway, which says so.
  const isMethod = onward.parameters.some(({ name }) => name === 'threeDSMethodData');
  const listening = new AbortController();
  const { signal } = listening;
  const loaded = new Promise<void>((resolve) => {
    const told = ({ source, data }: MessageEvent<unknown>): void => {
      if (source === frame.contentWindow && isPrepared(data)) resolve();
    };
    addEventListener('message', told, { signal });
    frame.addEventListener('load', () => {
      if (!isMethod && !isBlank(frame)) resolve();
    });
    setTimeout(resolve, PRECONDITION_WITHIN_MS);
  });
  document.body.append(frame);
  showIn(frame, onward);
  await loaded;
  listening.abort();
}

function isPrepared(data: unknown): boolean {
  return (data as { readonly kind?: unknown } | null)?.kind === 'prepared';
}

/** A frame has loaded an empty page before anything else. */
function isBlank({ contentWindow }: HTMLIFrameElement): boolean {
  try {
    return contentWindow?.location.href === 'about:blank';
  } catch {
    // Of another origin, so it is what was asked for.
    return false;
  }
}
