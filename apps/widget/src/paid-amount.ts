import { amountText, type ChargedAmount } from './amount-text.js';
import type { Language } from './languages.js';
import type { PostedField } from './posted-fields.js';

/** What is paid, by what and for whom it is said. */
export interface PaidAmountParts {
  readonly language: Language;
  readonly locale: string;
  /** What the checkout charges; undefined where nobody says. */
  readonly charged: ChargedAmount | undefined;
  /** Asks for it anew. */
  readonly ask: () => Promise<ChargedAmount | undefined>;
  /** Has all forms show what it is by now. */
  readonly changed: () => void;
}

/** What the forms of a page show of the amount, which is the checkout's, whatever the page says of it. */
export class PaidAmount {
  #charged: ChargedAmount | undefined;

  constructor(private readonly parts: PaidAmountParts) {
    this.#charged = parts.charged;
  }

  /** As people of this language write it; undefined where nobody says. */
  get text(): string | undefined {
    const { language, locale } = this.parts;
    return this.#charged && amountText(this.#charged, language, locale);
  }

  /** What a form that has shown it says to the gateway, which charges that, or nothing. */
  get posted(): readonly PostedField[] {
    return Object.entries(this.#charged ?? {});
  }

  /** The merchant has changed it: the shopper is to see what it is by now. */
  async askAgain(): Promise<void> {
    this.#charged = (await this.parts.ask()) ?? this.#charged;
    this.parts.changed();
  }
}
