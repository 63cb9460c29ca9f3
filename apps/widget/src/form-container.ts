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

/** Sends the form in it as if the button had been pressed. */
export function submitContained(container: HTMLDivElement): void {
  container.querySelector('form')?.requestSubmit();
}
