import { type Amount, isCurrency } from '@sluice/money';
import { Detail } from '@sluice/secrets';
import { isDate, isTime } from './file-checks.js';
import { amountIn } from './sepa-amount.js';
import type { XmlElement } from './xml-document.js';

/** Why a well-formed file is not read: nothing is guessed, and nothing is read of half a file. */
export type FieldRefusal =
  /** The schema, or what we live by, asks for it. */
  | 'missing'
  /** It is no amount, date or code. */
  | 'invalid'
  | 'tooLong';

/** Thrown within the reading of a file, and answered as a refusal of it. */
export class UnreadableField extends Error {
  constructor(
    readonly reason: FieldRefusal,
    /** Where it stands: `BkToCstmrStmt/Stmt[0]/Ntry[3]/Amt`. Never what stands there. */
    readonly at: string,
  ) {
    super(`${reason}: ${at}`);
  }
}

/** ISO's longest text that is read here. */
export const TEXT_CHARACTERS_MAX = 500;
/** What an identifier says that says nothing. */
const NOT_PROVIDED = 'NOTPROVIDED';
const DATE_CHARACTERS = 10;
/** A day may have a time zone in XML: it is the day of the bank, wherever that is. */
const DAY = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:Z|[+-][0-9]{2}:[0-9]{2})?$/u;
const TIME =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})?$/u;

/** An element of a bank's file, and where it stands in it. */
export class FileElement {
  constructor(
    private readonly element: XmlElement,
    private readonly above?: FileElement,
    private readonly index?: number,
  ) {}

  /** The first element below these names. */
  first(...path: readonly string[]): FileElement | undefined {
    return path.reduce<FileElement | undefined>((found, name) => found?.child(name), this);
  }

  /** As `first`, of what must be there. */
  needed(...path: readonly string[]): FileElement {
    const found = this.first(...path);
    if (found === undefined) throw new UnreadableField('missing', [this.at, ...path].join('/'));
    return found;
  }

  /** All elements of this name, with nothing between. */
  all(name: string): readonly FileElement[] {
    return this.element.children
      .filter((child) => child.name === name)
      .map((child, index) => new FileElement(child, this, index));
  }

  /** The text below these names; undefined if it is empty too. */
  text(...path: readonly string[]): string | undefined {
    return this.first(...path)?.ownText();
  }

  neededText(...path: readonly string[]): string {
    const found = this.needed(...path);
    return found.ownText() ?? found.refuse('missing');
  }

  /** All texts of this name. */
  texts(name: string): readonly string[] {
    return this.all(name).flatMap((each) => each.ownText() ?? []);
  }

  /** A text by which something is found again. */
  identifier(...path: readonly string[]): string | undefined {
    const text = this.text(...path);
    return text === NOT_PROVIDED ? undefined : text;
  }

  amount(...path: readonly string[]): Amount | undefined {
    return this.first(...path)?.ownAmount();
  }

  neededAmount(...path: readonly string[]): Amount {
    return this.needed(...path).ownAmount();
  }

  /** The one of a table that a code means. */
  oneOf<Meaning>(table: ReadonlyMap<string, Meaning>, ...path: readonly string[]): Meaning {
    return table.get(this.neededText(...path)) ?? this.needed(...path).refuse('invalid');
  }

  isTrue(...path: readonly string[]): boolean {
    return ['true', '1'].includes(this.text(...path) ?? '');
  }

  /** A day, whether it is written as one or as a time of it. */
  day(...path: readonly string[]): string | undefined {
    const found = this.first(...path);
    return (found?.first('Dt') ?? found?.first('DtTm') ?? found)?.ownDay();
  }

  /** A time as it is written; a bank need not say of which zone. */
  time(...path: readonly string[]): string | undefined {
    const found = this.first(...path);
    const text = found?.ownText();
    if (text === undefined) return undefined;
    return TIME.test(text) && isTime(text) ? text : found?.refuse('invalid');
  }

  neededTime(...path: readonly string[]): string {
    return this.time(...path) ?? this.needed(...path).refuse('missing');
  }

  /** An account, by whichever of its numbers it is named. */
  account(...path: readonly string[]): Detail | undefined {
    const id = this.first(...path, 'Id');
    const number = id?.text('IBAN') ?? id?.text('Othr', 'Id');
    return number === undefined ? undefined : new Detail(number);
  }

  private get at(): string {
    const name =
      this.index === undefined ? this.element.name : `${this.element.name}[${this.index}]`;
    return this.above === undefined ? name : `${this.above.at}/${name}`;
  }

  private child(name: string): FileElement | undefined {
    const child = this.element.children.find((each) => each.name === name);
    return child && new FileElement(child, this);
  }

  private ownText(): string | undefined {
    const text = this.element.text.trim();
    if (text.length > TEXT_CHARACTERS_MAX) return this.refuse('tooLong');
    return text === '' ? undefined : text;
  }

  private ownAmount(): Amount {
    const { currency = '' } = this.element;
    if (!isCurrency(currency)) return this.refuse('invalid');
    return amountIn(this.ownText() ?? '', currency) ?? this.refuse('invalid');
  }

  private ownDay(): string | undefined {
    const text = this.ownText();
    if (text === undefined) return undefined;
    const day = TIME.test(text) ? text.slice(0, DATE_CHARACTERS) : DAY.exec(text)?.[1];
    return day !== undefined && isDate(day) ? day : this.refuse('invalid');
  }

  private refuse(reason: FieldRefusal): never {
    throw new UnreadableField(reason, this.at);
  }
}

type Present<Fields> = {
  readonly [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  readonly [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<
    Fields[Name],
    undefined
  >;
};

/** The fields that a bank has filled. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const filled = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(filled) as Present<Fields>;
}
