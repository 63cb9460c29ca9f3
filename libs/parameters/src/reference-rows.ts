import { instrumentKinds, instruments } from '@sluice/contracts';
import { answeredAs } from './answered-as.js';
import { entryOf, requirementOf, structures } from './catalogue.js';
import { isOtherAccount } from './payment-kind.js';
import { instrumentForms } from './instruments.js';
import {
  type Kind,
  kinds,
  type NewPaymentKind,
  newPaymentKinds,
  referenceKinds,
  unservedKinds,
} from './kinds.js';
import { exampleOf } from './parameter-examples.js';
import { notYet } from './not-yet.js';
import type { Parameter, Requirement, Sensitivity } from './parameter.js';
import { queriesByIdThatRefuse } from './query-checks.js';

/** A parameter as references show it; texts are in Markdown with code spans alone. */
export interface ReferenceRow {
  readonly key: string;
  readonly format: string;
  /** A value that the format takes, and says something. */
  readonly example: string;
  /** A name that the key stands for, as one would send it. */
  readonly exampleName: string;
  readonly letter: Requirement['letter'];
  /** What it is and what else is asked of it, in sentences. */
  readonly rule: string;
  /** What it is, alone: what people find it by. */
  readonly description: string;
  readonly sensitivity: Sensitivity;
  /** Whether the answer returns it under its own name: `yes`, `no`, or how else it does. */
  readonly answered: string;
  /** The section that defines it. */
  readonly interface: string;
  /** Which requests take it, in words. */
  readonly takenBy: string;
  /** The kinds that use it, and what each of them asks. */
  readonly uses: readonly { readonly kind: Kind; readonly letter: Requirement['letter'] }[];
  /** Refused by other kinds, and not ignored. */
  readonly onlyThere: boolean;
  /** Other kinds that refuse it. */
  readonly refusedIn: readonly Kind[];
}

/** One structure of the interface with its rows. */
export interface ReferenceStructure {
  readonly title: string;
  readonly rows: readonly ReferenceRow[];
}

/** How a kind is named: a short head for columns, and in words. */
interface KindTitle {
  readonly head: string;
  readonly title: string;
}

const otherKindTitles: Readonly<Record<Exclude<Kind, NewPaymentKind>, KindTitle>> = {
  capture: { head: 'CP', title: 'capture' },
  reversal: { head: 'RV', title: 'reversal' },
  refund: { head: 'RF', title: 'refund' },
  rebill: { head: 'RB', title: 'rebill' },
  receipt: { head: 'RC', title: 'receipt' },
  chargeback: { head: 'CB', title: 'chargeback' },
  chargebackReversal: { head: 'CR', title: 'chargeback reversal' },
  incrementalAuthorization: { head: 'inc', title: 'incremental authorization' },
  reauthorization: { head: 'reau', title: 'reauthorization' },
  read: { head: 'GET', title: 'reading one transaction' },
  checkout: { head: 'chk', title: 'checkout' },
  widgetPayment: { head: 'wid', title: 'payment from the widget' },
  registration: { head: 'reg', title: 'registration' },
  registrationUpdate: { head: 'RR', title: 'change of a registration' },
  schedule: { head: 'job', title: 'schedule' },
  threeDSecure: { head: '3DS', title: '3-D Secure' },
  risk: { head: 'risk', title: 'risk check' },
  query: { head: 'qry', title: 'query' },
  report: { head: 'rep', title: 'report' },
};

/** How references name the kinds. */
export const kindTitles = {
  ...Object.fromEntries(
    instrumentKinds.flatMap((kind) => {
      const { column: head, words } = instrumentForms[kind];
      const title = { head, title: `payment ${words}` };
      return head === undefined ? [] : [[instruments[kind].request, title]];
    }),
  ),
  ...otherKindTitles,
} as Readonly<Record<Kind, KindTitle>>;

/** What becomes of a request of a kind, where this version does not serve it; else undefined. */
export function notServed(kind: Kind): string | undefined {
  switch (unservedKinds.get(kind)) {
    case 'refused':
      return 'checked, recorded, and refused with 600.200.500';
    case 'absent':
      return 'there is no such path: 404';
    case undefined:
      return undefined;
  }
}

const UNSERVED_IN_WORDS = {
  refused: 'checked, recorded, and refused with 600.200.500',
  absent: 'there is no such path: 404',
} as const;

/** In one sentence which requests of the interface this version does not serve. */
export function notServedNote(): string {
  const parts = Object.entries(UNSERVED_IN_WORDS).flatMap(([why, words]) => {
    const titles = kinds
      .filter((kind) => unservedKinds.get(kind) === why)
      .map((kind) => kindTitles[kind].title);
    return titles.length === 0 ? [] : [`${titles.join(', ')} (${words})`];
  });
  return (
    `Not served by this version: ${parts.join('; ')}. The parameters of these are described for ` +
    'what is to come.'
  );
}

/** Every parameter by structure, in the order in which errors are listed. */
export function referenceStructures(): readonly ReferenceStructure[] {
  return Object.entries(
    structures as Readonly<Record<string, Readonly<Record<string, Parameter>>>>,
  ).map(([title, table]) => ({
    title,
    rows: Object.entries(table).map(([key, parameter]) => rowOf(key, parameter)),
  }));
}

/** What the interface names in brackets, and an example of each. */
const NAMES_IN_BRACKETS: Readonly<Record<string, string>> = {
  '[n]': '[0]',
  '[name]': '[branch]',
  '[key]': '[branch]',
  '[brand]': '[VISA]',
};

function exampleNameOf(key: string): string {
  return key.replace(
    /\[(?:n|name|key|brand)\]/g,
    (placeholder) => NAMES_IN_BRACKETS[placeholder] ?? '',
  );
}

function rowOf(key: string, parameter: Parameter): ReferenceRow {
  const uses = usesOf(parameter);
  return {
    key,
    format: formatText(parameter),
    example: exampleOf(parameter),
    exampleName: exampleNameOf(key),
    letter: parameter.requirement.letter,
    rule: ruleOf(key, parameter),
    description: parameter.description,
    sensitivity: parameter.sensitivity,
    answered: answeredAs(entryOf(key)),
    interface: parameter.interface,
    takenBy: takenBy(uses),
    uses,
    onlyThere: parameter.onlyThere === true,
    refusedIn: kinds.filter((kind) => parameter.refusedIn?.[kind] !== undefined),
  };
}

function usesOf(parameter: Parameter): ReferenceRow['uses'] {
  return kinds.flatMap((kind) => {
    const letter = requirementOf(parameter, kind)?.letter;
    return letter === undefined ? [] : [{ kind, letter }];
  });
}

/** Kinds that are mostly alike, and what they are called together. */
const GROUPS: readonly (readonly [readonly Kind[], string])[] = [
  [kinds, 'every request'],
  [newPaymentKinds, 'every new payment'],
  [referenceKinds, 'every operation on a transaction'],
];

const LETTERS = { R: 'required', C: 'conditional', O: 'optional' } as const;

/** "required: payment by card; optional: capture, refund". */
function takenBy(uses: ReferenceRow['uses']): string {
  return (['R', 'C', 'O'] as const)
    .flatMap((letter) => {
      let left = uses.filter((use) => use.letter === letter).map(({ kind }) => kind);
      if (left.length === 0) return [];
      const names: string[] = [];
      for (const [group, name] of GROUPS) {
        if (!group.every((kind) => left.includes(kind))) continue;
        names.push(name);
        left = left.filter((kind) => !group.includes(kind));
      }
      names.push(...left.map((kind) => kindTitles[kind].title));
      return [`${LETTERS[letter]}: ${names.join(', ')}`];
    })
    .join('; ');
}

function formatText({ format, formatIn = {} }: Parameter): string {
  const others = Object.entries(formatIn).map(([kind, { text, values }]) => {
    const own = text === format.text && values !== undefined ? values.join(', ') : text;
    return `${own} in a ${kindTitles[kind as Kind].title}`;
  });
  return [format.text, ...others].join('; ');
}

/** How references tell what is refused from what is advice. */
export function demandNote(): string {
  return (
    '"Required" is what the gateway demands: a request without it is refused. "Expected" and ' +
    '"recommended" are what receivers, contracts or rules of card networks want: the gateway takes ' +
    'the request without it.'
  );
}

function ruleOf(key: string, row: Parameter): string {
  const { description, requirement, conflict, nameFormatIn = {}, deprecated } = row;
  const { onlyThere, onlyWith, refusedIn = {} } = row;
  const sentences = [description];
  const missing = notYet(key);
  if (missing !== undefined) sentences.push(missing);
  const values = valuesOf(row);
  const isSaid = values?.every((value) => row.format.text.includes(value)) ?? true;
  if (values !== undefined && !isSaid) sentences.push(`Values: ${values.join(', ')}.`);
  if (requirement.text !== undefined) sentences.push(`${capitalized(requirement.text)}.`);
  sentences.push(...ownDemands(row));
  if (conflict !== undefined) sentences.push(conflict.rule);
  if (row.emptyIsWrong)
    sentences.push('Refused with an empty value, where others count as not sent.');
  for (const [kind, format] of Object.entries(nameFormatIn)) {
    sentences.push(`In a ${kindTitles[kind as Kind].title} its name ${format.message}.`);
  }
  if (onlyThere) sentences.push('Refused elsewhere.');
  for (const kind of kinds.filter((each) => refusedIn[each] !== undefined)) {
    sentences.push(`Refused in a ${kindTitles[kind].title}.`);
  }
  const byId = queriesByIdThatRefuse(key).map((path) => `\`${path}\``);
  if (byId.length > 0) sentences.push(`Refused by ${byId.join(' and ')}.`);
  if (onlyWith !== undefined) {
    sentences.push(`Refused unless the compatibility switch \`${onlyWith}\` is on.`);
  }
  if (isOtherAccount(key)) {
    sentences.push('Refused beside `card.number`, unless `paymentBrand` is paid with it.');
  }
  // None of a list holds a card number.
  const cardNumbers = values === undefined ? row.cardNumbers : undefined;
  if (cardNumbers === 'masked')
    sentences.push('Card numbers in it are masked, and accounts of the same request.');
  if (cardNumbers === 'refused')
    sentences.push(
      'Refused if it contains the card number or another account of the same request.',
    );
  if (deprecated !== undefined) sentences.push(`Deprecated: ${deprecated}`);
  return sentences.join(' ');
}

/** All that is accepted, where that is a list. */
function valuesOf({ format }: Parameter): readonly string[] | undefined {
  return format.values ?? format.schema.enum;
}

/** What some kinds demand under conditions of their own. */
function ownDemands({ requirement, requirementIn = {} }: Parameter): string[] {
  const kindsByText = new Map<string, string[]>();
  for (const kind of kinds) {
    const own = requirementIn[kind];
    if (typeof own?.demanded !== 'object' || own.text === undefined) continue;
    if (own.text === requirement.text) continue;
    kindsByText.set(own.text, [...(kindsByText.get(own.text) ?? []), kindTitles[kind].title]);
  }
  return [...kindsByText].map(([text, titles]) => `${capitalized(titles.join(', '))}: ${text}.`);
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
