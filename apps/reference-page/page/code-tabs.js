// The request of the form as code, a tab for each language.
import { languages } from './code-samples.js';
import { element } from './page-element.js';

/** @typedef {import('./code-samples.js').SampleRequest} SampleRequest */

/** How long the copy button says that it has copied. */
const COPIED_MS = 2_000;

export class CodeSamples {
  #code = element('code-sample', HTMLElement);
  #copy = element('code-copy', HTMLButtonElement);
  #tabs;
  #chosen = 0;
  /** @type {SampleRequest | undefined} */
  #request;

  constructor() {
    const list = element('code-tabs', HTMLElement);
    this.#tabs = languages.map(({ name }, index) => {
      const tab = document.createElement('button');
      tab.type = 'button';
      tab.id = `code-tab-${index}`;
      tab.role = 'tab';
      tab.textContent = name;
      tab.setAttribute('aria-controls', 'code-sample');
      tab.addEventListener('click', () => this.#choose(index));
      return tab;
    });
    list.append(...this.#tabs);
    list.addEventListener('keydown', (event) => this.#onKey(event));
    // Browsers give the clipboard to pages of this machine and of https alone.
    this.#copy.hidden = !isSecureContext;
    this.#copy.addEventListener('click', () => void this.#copyIt());
    this.#choose(0);
  }

  /** @param {SampleRequest} request */
  show(request) {
    this.#request = request;
    this.#code.textContent = languages[this.#chosen]?.write(request) ?? '';
  }

  /** @param {number} chosen */
  #choose(chosen) {
    this.#chosen = chosen;
    for (const [index, tab] of this.#tabs.entries()) {
      tab.ariaSelected = String(index === chosen);
      // One stop for the tab key; the arrows go on from there.
      tab.tabIndex = index === chosen ? 0 : -1;
    }
    this.#code.setAttribute('aria-labelledby', `code-tab-${chosen}`);
    if (this.#request !== undefined) this.show(this.#request);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const count = this.#tabs.length;
    const steps = new Map([
      ['ArrowRight', this.#chosen + 1],
      ['ArrowLeft', this.#chosen + count - 1],
      ['Home', 0],
      ['End', count - 1],
    ]);
    const next = steps.get(event.key);
    if (next === undefined) return;
    event.preventDefault();
    this.#choose(next % count);
    this.#tabs[this.#chosen]?.focus();
  }

  async #copyIt() {
    await navigator.clipboard.writeText(this.#code.textContent);
    this.#copy.textContent = 'Copied';
    setTimeout(() => {
      this.#copy.textContent = 'Copy';
    }, COPIED_MS);
  }
}
