import { type Kind, kinds } from '../src/kinds.js';
import { requirementOf } from '../src/catalogue.js';
import type { Form } from '../src/form.js';
import type { Format } from '../src/format.js';
import type { Condition, Parameter, Requirement, Sensitivity } from '../src/parameter.js';
import { formMutants } from './format-mutants.js';

/** A row that was spoilt in one place. */
export interface Mutant {
  /** What was done, the same words for every row. */
  readonly change: string;
  /** Where in the row, when there is more than one place for it. */
  readonly place?: string;
  /** Undefined: the row is gone. */
  readonly row: Parameter | undefined;
}

/** Every row that one slip makes of this one; none of them behaves as the row does. */
export function* mutantsOf(row: Parameter): Generator<Mutant> {
  yield { change: 'row removed', row: undefined };
  yield { change: 'section changed', row: { ...row, interface: `${row.interface}0` } };
  yield* useMutants(row);
  yield* kindMutants(row);
  yield* demandMutants(row);
  yield* conflictMutants(row);
  yield* formatMutants(row);
}

const sensitivities: readonly Sensitivity[] = ['none', 'personal', 'accountData', 'secret'];

function* useMutants(row: Parameter): Generator<Mutant> {
  for (const sensitivity of sensitivities) {
    if (sensitivity === row.sensitivity) continue;
    const isLooser = sensitivities.indexOf(sensitivity) < sensitivities.indexOf(row.sensitivity);
    const change = isLooser ? 'sensitivity loosened' : 'sensitivity tightened';
    yield { change, place: sensitivity, row: { ...row, sensitivity } };
  }
  yield {
    change: row.echo ? 'echo turned off' : 'echo turned on',
    row: { ...row, echo: !row.echo },
  };
  yield { change: row.kept ? 'no longer kept' : 'kept', row: { ...row, kept: !row.kept } };
  const { cardNumbers: _, ...without } = row;
  for (const cardNumbers of [undefined, 'masked', 'refused'] as const) {
    if (cardNumbers === row.cardNumbers) continue;
    const change =
      cardNumbers === undefined ? 'card numbers let through' : 'card numbers otherwise';
    const changed = cardNumbers === undefined ? without : { ...row, cardNumbers };
    yield { change, place: cardNumbers ?? 'nothing', row: changed };
  }
  const { onlyThere, ...elsewhere } = row;
  if (onlyThere) yield { change: 'accepted outside its kinds', row: elsewhere };
  else yield { change: 'refused outside its kinds', row: { ...row, onlyThere: true } };
  const { refusedIn, ...ignored } = row;
  if (refusedIn !== undefined) yield { change: 'ignored by others', row: ignored };
  else yield { change: 'refused by another', row: { ...row, refusedIn: { risk: 'no' } } };
  const { onlyWith, ...always } = row;
  yield onlyWith === undefined
    ? { change: 'needs a switch', row: { ...row, onlyWith: 'limitBelow100' } }
    : { change: 'needs no switch', row: always };
  const { testDirectives, ...unread } = row;
  if (testDirectives !== undefined) yield { change: 'tests no longer read it', row: unread };
}

function* kindMutants(row: Parameter): Generator<Mutant> {
  for (const kind of kinds) {
    yield row.kinds.includes(kind)
      ? { change: 'kind dropped', place: kind, row: { ...row, kinds: without(row.kinds, kind) } }
      : { change: 'kind added', place: kind, row: { ...row, kinds: [...row.kinds, kind] } };
  }
}

function* demandMutants(row: Parameter): Generator<Mutant> {
  for (const letter of ['R', 'C', 'O'] as const) {
    if (letter === row.requirement.letter) continue;
    const requirement = { ...row.requirement, letter };
    yield { change: 'letter changed', place: letter, row: { ...row, requirement } };
  }
  for (const kind of row.kinds) {
    const requirement = requirementOf(row, kind) ?? row.requirement;
    const { orElse, ...alone } = requirement;
    const change = orElse === undefined ? 'another does in its place' : 'nothing does in its place';
    const otherwise = orElse === undefined ? { ...requirement, orElse: 'amount' } : alone;
    yield { change, place: kind, row: demanding(row, kind, otherwise) };
    for (const [change, demanded] of otherDemands(requirement.demanded)) {
      yield { change, place: kind, row: demanding(row, kind, { ...requirement, demanded }) };
    }
  }
}

function demanding(row: Parameter, kind: Kind, requirement: Requirement): Parameter {
  return { ...row, requirementIn: { ...row.requirementIn, [kind]: requirement } };
}

function otherDemands(
  demanded: Requirement['demanded'],
): (readonly [string, boolean | Condition])[] {
  if (demanded === true) return [['no longer demanded', false]];
  if (demanded === false) return [['demanded', true]];
  return [
    ['no longer demanded', false],
    ['condition never holds', { ...demanded, holds: () => false }],
    ['condition always holds', true],
    ['condition turned round', { ...demanded, holds: (form: Form) => !demanded.holds(form) }],
  ];
}

function* conflictMutants(row: Parameter): Generator<Mutant> {
  const { conflict, ...peaceful } = row;
  if (conflict === undefined) return;
  yield { change: 'conflict dropped', row: peaceful };
  const never = { ...conflict, holds: () => false };
  yield { change: 'conflict never seen', row: { ...row, conflict: never } };
  yield {
    change: 'conflict always seen',
    row: { ...row, conflict: { ...conflict, holds: () => true } },
  };
}

/** The published schema says less, or nothing, of the form. */
function* schemaMutants(format: Format<unknown>): Generator<readonly [string, Format<unknown>]> {
  const { schema, schemaIsWider, ...others } = format;
  const { type, format: note, ...rest } = schema;
  const wider = schemaIsWider === undefined ? {} : { schemaIsWider };
  // What the pattern says as well, or what every text is, is no less without the word.
  const idleUpTo = new RegExp(rest.pattern ?? '', 'u').test('') ? 0 : 1;
  for (const word of Object.keys(rest)) {
    if (word === 'minLength' && (rest.minLength ?? 0) <= idleUpTo) continue;
    const { [word as keyof typeof rest]: _, ...fewer } = rest;
    const looser = { type, ...(note !== undefined && { format: note }), ...fewer };
    yield [`schema without ${word}`, { ...others, ...wider, schema: looser }];
  }
  yield ['schema of any text', { ...others, ...wider, schema: { type } }];
  yield schemaIsWider === undefined
    ? ['schema said to be wider', { ...format, schemaIsWider: 'for some reason' }]
    : ['schema not said to be wider', { ...others, schema }];
}

/** Answers say it as it was sent, or in a form that the schema does not know. */
function* answerMutants(format: Format<unknown>): Generator<readonly [string, Format<unknown>]> {
  const { answered, ...asSent } = format;
  if (answered === undefined) return;
  yield ['answered as sent', asSent];
  yield ['answered unwritten', { ...format, answered: { ...answered, write: (value) => value } }];
  const loose = { ...answered, schema: { type: 'string' } as const };
  yield ['schema of the answer of any text', { ...format, answered: loose }];
}

function* formatMutants(row: Parameter): Generator<Mutant> {
  for (const [change, format] of answerMutants(row.format))
    yield { change, row: { ...row, format } };
  for (const [change, format] of schemaMutants(row.format))
    yield { change, row: { ...row, format } };
  for (const [change, format] of formMutants(row.format)) yield { change, row: { ...row, format } };
  for (const [kind, own] of Object.entries(row.formatIn ?? {})) {
    const { [kind as Kind]: _, ...others } = row.formatIn ?? {};
    yield { change: 'own form dropped', place: kind, row: { ...row, formatIn: others } };
    for (const [change, format] of [...schemaMutants(own), ...formMutants(own)]) {
      yield {
        change,
        place: kind,
        row: { ...row, formatIn: { ...row.formatIn, [kind]: format as Format } },
      };
    }
  }
  const { nameFormatIn, ...unnamed } = row;
  if (nameFormatIn !== undefined) yield { change: 'own form of the name dropped', row: unnamed };
  for (const [kind, own] of Object.entries(nameFormatIn ?? {})) {
    for (const [change, format] of formMutants(own)) {
      const changed = { ...nameFormatIn, [kind]: format as Format };
      const isNotation = change === 'notation changed';
      if (!isNotation) {
        yield { change, place: `name of a ${kind}`, row: { ...row, nameFormatIn: changed } };
      }
    }
  }
  const { nameFormat, ...nameless } = row;
  if (nameFormat === undefined) return;
  yield { change: 'form of the name dropped', row: nameless };
  for (const [change, format] of formMutants(nameFormat)) {
    const isNotation = change === 'notation changed';
    if (!isNotation) yield { change, place: 'name', row: { ...row, nameFormat: format as Format } };
  }
}

function without<Value>(values: readonly Value[], value: Value): Value[] {
  return values.filter((each) => each !== value);
}
