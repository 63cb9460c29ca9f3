import { newFormName } from './form-name.js';
import type { Target } from './options.js';
import type { Onward, Redirect } from './sent-answer.js';

/** What is loaded out of sight may fail, and the shopper goes on (wire contract 5). */
const PRECONDITION_WITHIN_MS = 10_000;

/** Sends the browser on, after loading what has to be loaded before. */
export async function goOn(redirect: Redirect, target: Target): Promise<void> {
  for (const precondition of redirect.preconditions) await loadOutOfSight(precondition);
  leaveTo(redirect, target);
}

/** Sends the window on. */
export function leaveTo({ url, method, parameters }: Onward, target: Target): void {
  if (method === 'POST') {
    sendForm({ url, method, parameters }, target);
    return;
  }
  const address = new URL(url);
  for (const { name, value } of parameters) address.searchParams.append(name, value);
  // The address as it was told, unless there is something to add.
  window.open(parameters.length === 0 ? url : address.href, target);
}

function sendForm({ url, method, parameters }: Onward, target: string): void {
  const form = document.createElement('form');
  form.method = method;
  form.action = url;
  form.target = target;
  form.hidden = true;
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
  frame.hidden = true;
  frame.name = `sluice-${newFormName()}`;
  document.body.append(frame);
  const loaded = new Promise<void>((resolve) => {
    frame.addEventListener('load', () => resolve());
    setTimeout(resolve, PRECONDITION_WITHIN_MS);
  });
  sendForm(onward, frame.name);
  await loaded;
}
