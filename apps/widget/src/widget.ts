import { brandNamed } from '@sluice/parameters/cards';
import { CardForm } from './card-form.js';
import { english, type Texts } from './english.js';
import { type Language, languageOf, textsWith } from './languages.js';
import { type CallbackName, type Options, readOptions } from './options.js';
import { isAddress } from './result-address.js';
import { styleSheetOf } from './widget-style.js';
import { WidgetError } from './widget-error.js';
import type { WidgetScript, WidgetStart, WidgetWindow } from './widget-start.js';

const page = window as WidgetWindow;

/** The widget on a page: a card form in the place of each form of the page's own. */
export class Widget {
  readonly #options: Options;
  readonly #complaints: readonly string[];
  #forms: readonly CardForm[] = [];
  #sheet: CSSStyleSheet | undefined;
  #isUnloaded = false;

  constructor(
    private readonly script: WidgetScript,
    private readonly start: WidgetStart,
  ) {
    const { options, complaints } = readOptions(start.options);
    this.#options = options;
    this.#complaints = complaints;
    page.wpwl = {
      unload: () => this.#unload(),
      executePayment: (container) => this.#execute(container),
      checkout: { id: start.id },
    };
  }

  async begin(): Promise<void> {
    for (const complaint of this.#complaints) console.warn(`Sluice: ${complaint}`);
    const language = languageOf(this.#options.locale) ?? 'en';
    const texts = await this.#textsIn(language);
    if (this.#isUnloaded) return;
    const { style } = this.#options;
    if (style !== 'none') {
      this.#sheet = styleSheetOf(style);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet];
    }
    const found = Array.from(document.querySelectorAll<HTMLFormElement>('form.paymentWidgets'));
    if (found.length === 0) this.#fail('The page has no form with the class paymentWidgets.');
    this.#forms = found.flatMap((form) => this.#formFor(form, language, texts) ?? []);
    for (const form of this.#forms) form.show();
    const containers = this.#forms.map(({ container }) => container);
    if (containers.length > 0) this.#call('onReady', undefined, containers);
  }

  /** In English where a language does not come: the shopper can pay all the same. */
  async #textsIn(language: Language): Promise<Texts> {
    const { labels, errorMessages } = this.#options;
    const own = { ...labels, ...errorMessages };
    if (language === 'en') return textsWith(english, own);
    const address = `${this.start.folder}language-${language}.json`;
    try {
      const response = await fetch(address, { credentials: 'omit' });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return textsWith({ ...english, ...((await response.json()) as Partial<Texts>) }, own);
    } catch {
      console.warn(`Sluice: ${address} cannot be loaded; the payment form is in English.`);
      return textsWith(english, own);
    }
  }

  #formFor(form: HTMLFormElement, language: Language, texts: Texts): CardForm | undefined {
    const named = form.dataset['brands'] ?? form.textContent;
    const asked = named.split(/[\s,]+/).filter((name) => name !== '');
    for (const name of asked) {
      if (brandNamed(name) !== undefined) continue;
      console.warn(`Sluice: the brand ${name} is not served yet: this form takes cards.`);
    }
    const [first, ...others] = asked.flatMap((name) => brandNamed(name)?.name ?? []);
    if (first === undefined) {
      this.#fail('A form with the class paymentWidgets names no brand of cards.');
      return undefined;
    }
    if (!isAddress(form.action)) {
      this.#fail(
        'The action of a form with the class paymentWidgets is no address to come back to.',
      );
      return undefined;
    }
    const { folder, id, purpose } = this.start;
    return new CardForm({
      ...{ checkout: { id, purpose }, folder, options: this.#options, texts, language, form },
      brands: [first, ...others],
      call: (name, self, ...words) => this.#call(name, self, ...words),
      report: (error) => this.#report(error),
    });
  }

  #call(name: CallbackName, self: unknown, ...words: unknown[]): unknown {
    try {
      return this.#options.callbacks[name]?.apply(self, words);
    } catch (error) {
      console.error(`Sluice: wpwlOptions.${name} has failed.`, error);
      return undefined;
    }
  }

  #fail(message: string): void {
    this.#report(new WidgetError('WidgetError', message));
  }

  #report(error: WidgetError): void {
    if (this.#options.callbacks.onError === undefined) console.error(error);
    else this.#call('onError', undefined, error);
  }

  #execute(name: string): void {
    const asked = this.#forms.find(
      ({ container }) => container.id === name || container.classList.contains(name),
    );
    if (asked === undefined) this.#fail(`There is no container ${name}.`);
    else asked.execute();
  }

  #unload(): void {
    this.#isUnloaded = true;
    for (const form of this.#forms) form.close();
    const others = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
    document.adoptedStyleSheets = others;
    this.script.remove();
    delete page.wpwl;
  }
}
