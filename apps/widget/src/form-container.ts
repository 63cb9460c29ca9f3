import { render } from 'preact';
import { directionOf, type Language } from './languages.js';

/** What a form stands in, as shops find it (wire contract 10), and in its language. */
export function newContainer(
  language: Language,
  id: string,
  ...classes: readonly string[]
): HTMLDivElement {
  const container = document.createElement('div');
  container.className = ['wpwl-container', ...classes].join(' ');
  container.id = id;
  container.lang = language;
  container.dir = directionOf(language);
  return container;
}

/** Takes a form off the page, with all that was rendered of it. */
export function removeContainer(container: HTMLDivElement): void {
  render(null, container);
  container.remove();
}

/** Sends the form in it as if the button had been pressed. */
export function submitContained(container: HTMLDivElement): void {
  container.querySelector('form')?.requestSubmit();
}
