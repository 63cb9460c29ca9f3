import { render } from 'preact';
import { jsx } from 'preact/jsx-runtime';
import type { AccountFormName } from './account-form-kind.js';
import type { MakeAccountForm } from './account-form-parts.js';
import { isSameAmount } from './amount-text.js';
import { setShown } from './away.js';
import { type BrandGroup, brandGroups } from './brand-groups.js';
import { brandTitle } from './brand-titles.js';
import { CardForm } from './card-form.js';
import { answerOf } from './checkout-answer.js';
import { english, type Texts } from './english.js';
import { FieldFrame } from './field-frame.js';
import { newContainer } from './form-container.js';
import { loadedForm } from './form-loading.js';
import { removeContainer } from './form-removal.js';
import type { LoadedFormName, LoadedForms } from './form-script.js';
import { frameLook } from './frame-look.js';
import { type Language, languageOf, textsWith } from './languages.js';
import type { LentParts, LentView } from './lent-parts.js';
import { type CallbackName, type Options, readOptions } from './options.js';
import { isOver, type OfferedAccounts, offeredAccounts } from './offered-accounts.js';
import { PaidAmount } from './paid-amount.js';
import { PayButton } from './pay-button-view.js';
import type { PaymentForm, PaymentFormParts } from './payment-form.js';
import { PressedPointer } from './pressed-pointer.js';
import { type CheckoutInBrowser, isAddress } from './result-address.js';
import { sentFromPage } from './sent-from-page.js';
import type { MakeStoredForm } from './stored-form-parts.js';
import { Submission } from './submission.js';
import { withTaken } from './taken-brands.js';
import { isOfWallet, type MakeWalletForm, walletFormOf } from './wallet-form-parts.js';
import { styleSheetOf } from './widget-style.js';
import { checkoutIsOver, WidgetError } from './widget-error.js';
import type { WidgetScript, WidgetStart, WidgetWindow } from './widget-start.js';

const page = window as WidgetWindow;

/** A form of the page's own, and the brands that take its place. */
interface Place {
  readonly form: HTMLFormElement;
  readonly groups: readonly BrandGroup[];
}

/** The forms that stand in the place of one of the page's own. */
interface Shown {
  readonly form: HTMLFormElement;
  readonly forms: readonly PaymentForm[];
  /** How it was shown itself, where nothing stands in its place. */
  readonly display?: string;
}

/** What was loaded for the brands of a page. */
type Kinds = ReadonlyMap<LoadedFormName, LoadedForms[Exclude<LoadedFormName, 'stored'>]>;

const lent: LentParts & LentView = {
  newContainer,
  newSubmission: (of) => new Submission(of),
  send: sentFromPage,
  ...{ jsx, render, removeContainer, PayButton },
};

/** What a form is shown in. */
interface FormSurroundings extends Pick<PaymentFormParts, 'form' | 'language' | 'texts' | 'paid'> {
  readonly kinds: Kinds;
  /** Whether several forms take several cards each. */
  readonly isAmongCards: boolean;
}

/** The widget on a page: the forms for the brands of a page's own form, in its place. */
export class Widget {
  readonly #options: Options;
  readonly #complaints: readonly string[];
  #shown: readonly Shown[] = [];
  #sheet: CSSStyleSheet | undefined;
  #isUnloaded = false;
  readonly #pointer = new PressedPointer(document);

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
    const found = Array.from(document.querySelectorAll<HTMLFormElement>('form.paymentWidgets'));
    if (found.length === 0) this.#fail('The page has no form with the class paymentWidgets.');
    const places = await this.#withTaken(found.flatMap((form) => this.#placeOf(form) ?? []));
    this.#warnOfIdleWallets(places);
    if (this.start.purpose === 'registration' && this.#options.useSummaryPage) {
      console.warn('Sluice: nothing is paid here, so wpwlOptions.useSummaryPage has no effect.');
    }
    const [texts, kinds, [offered, storedForm]] = await Promise.all([
      this.#textsIn(language),
      this.#kindsFor(places),
      this.#offered(),
    ]);
    if (this.#isUnloaded) return;
    const { style } = this.#options;
    if (style !== 'none') {
      this.#sheet = styleSheetOf(style);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet];
    }
    const surroundings = {
      ...{ language, texts, kinds, paid: this.#paidIn(language, offered) },
      isAmongCards: isAmongCards(places),
    };
    this.#shown = places.map(({ form, groups }) => ({
      form,
      forms: groups.flatMap((group) => this.#formOf(group, { form, ...surroundings }) ?? []),
    }));
    if (storedForm !== undefined) {
      this.#shown = this.#withStored(offered, storedForm, surroundings);
    }
    for (const { form, forms } of this.#shown) show(form, forms);
    // Before the shopper has typed anything.
    const isOther = offered.purpose !== undefined && offered.purpose !== this.start.purpose;
    if (offered.isOver || isOther) for (const form of this.#forms) form.end();
    const containers = this.#forms.map(({ container }) => container);
    if (containers.length > 0) this.#call('onReady', undefined, containers);
    if (offered.isOver) this.#report(checkoutIsOver());
    else if (isOther) this.#tellPurpose(offered.purpose);
  }

  /** Whoever makes the page reads the console, whatever it does with errors. */
  #tellPurpose(purpose: CheckoutInBrowser['purpose']): void {
    const { id, folder } = this.start;
    const [does, suffix] = purpose === 'payment' ? ['pays', ''] : ['only stores', '/registration'];
    const script = new URL(`../../paymentWidgets.js?checkoutId=${id}${suffix}`, folder).href;
    const message = `This checkout ${does}, so the script of its page is ${script}`;
    if (this.#options.callbacks.onError !== undefined) console.warn(`Sluice: ${message}`);
    this.#fail(message);
  }

  /** What the checkout offers, and the form for the stored accounts in it. */
  async #offered(): Promise<readonly [OfferedAccounts, MakeStoredForm | undefined]> {
    const offered = await offeredAccounts(this.start, this.start.folder);
    const isAny = offered.accounts.length > 0;
    return [offered, isAny ? await this.#loaded('stored') : undefined];
  }

  /** Without the brands that the gateway cannot take, where the page wants them left out. */
  async #withTaken(places: readonly Place[]): Promise<readonly Place[]> {
    const { purpose, folder } = this.start;
    if (!this.#options.activePaymentMethods || purpose === 'registration') return places;
    // Nothing is left out where nobody says.
    const said = await answerOf(this.start, 'brands', folder).catch(() => undefined);
    return places.map(({ form, groups }) => {
      const left = withTaken(groups, said);
      if (left.length === 0) this.#fail('No brand of a form is active.');
      return { form, groups: left };
    });
  }

  #warnOfIdleWallets(places: readonly Place[]): void {
    for (const [brand, name] of walletFormOf) {
      const isThere = places.some(({ groups }) => groups.some(({ kind }) => kind === name));
      if (this.#options[name] === undefined || isThere) continue;
      console.warn(`Sluice: wpwlOptions.${name} has no effect: no form has the brand ${brand}.`);
    }
  }

  /** What is charged is the checkout's, whatever the page says of it. */
  #paidIn(language: Language, { charged }: OfferedAccounts): PaidAmount {
    const { locale, total } = this.#options;
    const paid = new PaidAmount({
      ...{ language, locale, charged },
      ask: async () => (await offeredAccounts(this.start, this.start.folder)).charged,
      changed: () => {
        for (const form of this.#forms) form.amountChanged?.();
      },
    });
    const isSaid = !['', 'true'].includes(total);
    if (isSaid && charged !== undefined && !isSameAmount(total, charged)) {
      console.warn(`Sluice: wpwlOptions.total is ${total}; the checkout charges ${paid.text}.`);
    }
    return paid;
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
      console.warn(`Sluice: ${address} cannot be loaded; the form is in English.`);
      return textsWith(english, own);
    }
  }

  /** What a form of the page is replaced by; nothing where it cannot be. */
  #placeOf(form: HTMLFormElement): Place | undefined {
    const { brands = form.textContent } = form.dataset;
    const { groups, complaints } = brandGroups(brands, this.start.purpose);
    for (const complaint of complaints) console.warn(`Sluice: ${complaint}`);
    if (groups.length === 0) {
      this.#fail('A form with the class paymentWidgets names no brand that is served.');
      return undefined;
    }
    if (!isAddress(form.action)) {
      this.#fail(
        'The action of a form with the class paymentWidgets is no address to come back to.',
      );
      return undefined;
    }
    return { form, groups };
  }

  /** Those that do not come are told of, and the others are shown all the same. */
  async #kindsFor(places: readonly Place[]): Promise<Kinds> {
    const all = places.flatMap(({ groups }) => groups.map(({ kind }) => kind));
    const kinds = all.filter((kind) => kind !== 'card');
    const named = kinds.flatMap((kind) =>
      isOfWallet(kind) ? [kind] : ([kind, 'account'] as const),
    );
    const loaded = [...new Set(named)].map(async (name) => {
      const kind = await this.#loaded(name);
      return kind === undefined ? [] : [[name, kind] as const];
    });
    return new Map((await Promise.all(loaded)).flat());
  }

  #loaded<Name extends LoadedFormName>(name: Name): Promise<LoadedForms[Name] | undefined> {
    const { folder } = this.start;
    const { nonce } = this.script;
    return loadedForm(name, { folder, nonce }).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      this.#fail(`The form for ${name} is left out: ${why}`);
      return undefined;
    });
  }

  /**
   * With the stored accounts before the first form, whatever brands that has: the merchant has named them.
   * Where only one of them can be paid with, no other form is shown.
   */
  #withStored(
    { accounts, isOnly, mayDelete }: OfferedAccounts,
    storedForm: MakeStoredForm,
    surroundings: Omit<FormSurroundings, 'form'>,
  ): readonly Shown[] {
    const [first, ...others] = this.#shown;
    if (first === undefined) return this.#shown;
    const all = this.#forms;
    const isHidden = this.#options.registrations.hideInitialPaymentForms && !isOnly;
    for (const { container } of all) setShown(container, !isHidden);
    const stored = storedForm({
      ...{ ...this.#partsOf({ ...surroundings, form: first.form }), ...lent, accounts },
      ...{ frameLook, brandTitle, isOver, mayDelete },
      newFrame: (of) => new FieldFrame(of),
      showOthers: isHidden && all.length > 0 ? () => reveal(all) : undefined,
    });
    if (isOnly) return [{ ...first, forms: [stored] }, ...others.map(withoutForms)];
    return [{ ...first, forms: [stored, ...first.forms] }, ...others];
  }

  #partsOf({ form, language, texts, paid }: Omit<FormSurroundings, 'kinds'>): PaymentFormParts {
    const { folder, id, purpose } = this.start;
    return {
      ...{ checkout: { id, purpose }, folder, options: this.#options, texts, language },
      ...{ form, paid },
      call: (name, self, ...words) => this.#call(name, self, ...words),
      report: (error) => this.#report(error),
      isAlone: () => this.#forms.length === 1,
      whenReleased: (run) => this.#pointer.whenReleased(run),
    };
  }

  #formOf(group: BrandGroup, surroundings: FormSurroundings): PaymentForm | undefined {
    const parts = this.#partsOf(surroundings);
    if (group.kind === 'card') {
      const { brands } = group;
      return new CardForm({ ...parts, brands, title: cardTitle(brands, surroundings) });
    }
    const kind = surroundings.kinds.get(group.kind);
    if (kind === undefined) return undefined;
    const { brand } = group;
    if (typeof kind !== 'function') {
      const make = surroundings.kinds.get('account') as MakeAccountForm | undefined;
      return make?.({ ...parts, ...lent, name: group.kind as AccountFormName, kind, brand });
    }
    return (kind as MakeWalletForm)({ ...parts, ...lent, brand, nonce: this.script.nonce });
  }

  get #forms(): readonly PaymentForm[] {
    return this.#shown.flatMap(({ forms }) => forms);
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
    this.#pointer.close();
    for (const shown of this.#shown) putBack(shown);
    const others = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
    document.adoptedStyleSheets = others;
    this.script.remove();
    delete page.wpwl;
  }
}

/** What tells a form of cards from other forms. */
function cardTitle(brands: readonly string[], { isAmongCards, texts }: FormSurroundings): string {
  return isAmongCards || brands.length === 1 ? brands.map(brandTitle).join(', ') : texts.card;
}

function isAmongCards(places: readonly Place[]): boolean {
  const all = places.flatMap(({ groups }) => groups);
  return all.filter((group) => group.kind === 'card' && group.brands.length > 1).length > 1;
}

/** Shows forms that were hidden, and goes to the first. */
function reveal(forms: readonly PaymentForm[]): void {
  for (const { container } of forms) setShown(container, true);
  const [first] = forms;
  first?.container.querySelector<HTMLElement>('select, input, iframe, button')?.focus();
}

/** The page's own form is not shown, and nothing comes in its place. */
function withoutForms({ form }: Shown): Shown {
  const { display } = form.style;
  setShown(form, false);
  return { form, forms: [], display };
}

/** Where nothing could be loaded for it, the page's form stays. */
function show(form: HTMLFormElement, forms: readonly PaymentForm[]): void {
  if (forms.length === 0) return;
  for (const one of forms) one.show();
  form.replaceWith(...forms.map(({ container }) => container));
}

function putBack({ form, forms, display }: Shown): void {
  if (display !== undefined) form.style.display = display;
  forms[0]?.container.before(form);
  for (const one of forms) one.close();
}
