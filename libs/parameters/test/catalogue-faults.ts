import { requirementOf } from '../src/catalogue.js';
import type { Form } from '../src/form.js';
import type { Format } from '../src/format.js';
import { type Kind, kinds } from '../src/kinds.js';
import type { Parameter } from '../src/parameter.js';
import { interfaceRows, type InterfaceRow } from './interface-rows.js';
import { type Examples, ofList } from './example-shapes.js';
import { examplesOf, nameExamplesOf } from './notation-examples.js';
import {
  conflictOf,
  demandOf,
  insteadOf,
  testDirectivesOfRow,
  ownNamesOf,
  ownValuesOf,
} from './row-rules.js';
import { expectedUseOf, useOf } from './row-uses.js';
import { rowsBeyondTheInterface } from './rows-beyond-the-interface.js';
import { schemaFaults, schemaTakes } from './schema-shapes.js';

/*
 * What is wrong with a catalogue: each row against the interface's list and against the pages of this
 * folder. Pure functions of the rows they are given, so that one suite asks them of the catalogue and
 * another of catalogues that were spoilt on purpose.
 */

/** One row of the list with what follows from it; made once, read for every spoilt catalogue. */
interface Expectation {
  readonly row: InterfaceRow;
  readonly examples: Examples;
  readonly nameExamples: Examples | undefined;
}

const expectations = new Map<string, Expectation[]>();
for (const row of [...interfaceRows, ...rowsBeyondTheInterface]) {
  const expectation = { row, examples: examplesOf(row), nameExamples: nameExamplesOf(row) };
  expectations.set(row.name, [...(expectations.get(row.name) ?? []), expectation]);
}

/** Every key that the catalogue has to have. */
export const expectedKeys: readonly string[] = [...expectations.keys()];

/**
 * What is wrong with one row; `row` is undefined where the catalogue has none of that key. The
 * faults come one by one, because a spoilt row is known by its first.
 */
export function* faultsOfRow(key: string, row: Parameter | undefined): Generator<string> {
  const expected = expectations.get(key);
  if (expected === undefined) yield 'is not in the interface';
  else if (row === undefined) yield 'is missing';
  else yield* differences(key, row, expected);
}

function* differences(
  key: string,
  row: Parameter,
  expected: readonly Expectation[],
): Generator<string> {
  yield* different('use', useOf(row), expectedUseOf(key));
  yield* demandFaults(key, row);
  yield* conflictFaults(key, row);
  const testDirectives = row.testDirectives && [...row.testDirectives.keys()];
  yield* different('testDirectives', testDirectives?.join(), testDirectivesOfRow(key)?.join());
  yield* ownFormFaults(key, row);
  const kindsWithForm = [
    ...expected.flatMap(({ row: { kind } }) => kind ?? []),
    ...Object.keys(ownValuesOf(key)),
  ];
  yield* different(
    'base form',
    Object.keys(row.formatIn ?? {}).every(isOneOf(kindsWithForm)),
    true,
  );
  for (const each of expected) yield* listFaults(each, row);
}

/** Values and names that are of one kind of request alone. */
function* ownFormFaults(
  key: string,
  { format, formatIn, nameFormatIn }: Parameter,
): Generator<string> {
  for (const [kind, values] of Object.entries(ownValuesOf(key))) {
    const own = formatIn?.[kind as Kind];
    yield* different(`values of a ${kind}`, own?.values?.join('|'), values.join('|'));
    if (own === undefined) continue;
    yield* different(`notation of a ${kind}`, own.text, format.text);
    const examples = ofList(values);
    for (const fault of formFaults(own, examples)) yield `a ${kind} ${fault}`;
    for (const fault of schemaFaults(own, '', examples)) yield `a ${kind} ${fault}`;
  }
  const names = ownNamesOf(key);
  const kindsOfNames = Object.keys(nameFormatIn ?? {}).join();
  yield* different('own form of the name', kindsOfNames, names?.kind ?? '');
  if (names === undefined) return;
  const own = nameFormatIn?.[names.kind as Kind];
  if (own === undefined) return;
  for (const fault of formFaults(own, names)) yield `name of a ${names.kind} ${fault}`;
}

function isOneOf(kindsWithForm: readonly string[]): (kind: string) => boolean {
  return (kind) => kindsWithForm.includes(kind);
}

/** Lists of the interface that are bounds or a grammar, not values (D-53). */
const NO_LIST =
  /^(?:card\.expiryMonth|tokenAccount\.expiryMonth|cart\.items\[n\]\.tax$|job\.(?!notice|duration))/;

function* listFaults(expectation: Expectation, parameter: Parameter): Generator<string> {
  const { row, examples, nameExamples } = expectation;
  const { kind, name } = row;
  const format = (kind && parameter.formatIn?.[kind]) ?? parameter.format;
  const requirement = (kind && parameter.requirementIn?.[kind]) ?? parameter.requirement;
  yield* different('notation', format.text, row.format);
  yield* different('letter', requirement.letter, row.requirement);
  if (kind === undefined || isOfKindAlone(name)) {
    yield* different('section', parameter.interface, row.section.replace(/^(2\.19) .*/, '$1'));
  }
  if (examples.values !== undefined && !NO_LIST.test(name)) {
    yield* different('values', format.values?.join('|'), examples.values.join('|'));
  }
  yield* formFaults(format, examples);
  yield* schemaFaults(format, row.format, examples);
  yield* answerFaults(format, row.format);
  yield* different(
    'form of the name',
    parameter.nameFormat !== undefined,
    nameExamples !== undefined,
  );
  if (parameter.nameFormat !== undefined && nameExamples !== undefined) {
    for (const fault of formFaults(parameter.nameFormat, nameExamples)) yield `name ${fault}`;
    for (const fault of schemaFaults(parameter.nameFormat, '', nameExamples)) yield `name ${fault}`;
  }
}

/** Rows of the list that hold for one kind have a row of the catalogue of their own, or a form in one. */
function isOfKindAlone(name: string): boolean {
  return expectations.get(name)?.every(({ row }) => row.kind !== undefined) ?? false;
}

function* formFaults(format: Format<unknown>, { accepted, refused }: Examples): Generator<string> {
  for (const value of refused) if (format.accepts(value)) yield `accepts ${shown(value)}`;
  for (const value of accepted) if (!format.accepts(value)) yield `refuses ${shown(value)}`;
}

/** Amounts whose decimals may be left out in a request have them in every answer (wire contract D3). */
function* answerFaults({ answered }: Format<unknown>, notation: string): Generator<string> {
  const isAmount = /^N[0-9]+\.N2\b|^N13$/.test(notation);
  yield* different('written otherwise in answers', answered !== undefined, isAmount);
  if (answered === undefined) return;
  for (const [sent, written] of Object.entries({ '1': '1.00', '0': '0.00', '1.50': '1.50' })) {
    yield* different(`the answer to ${sent}`, answered.write(sent), written);
    yield* different('schema of the answer', schemaTakes(answered.schema, written), true);
  }
  yield* different('schema of the answer', schemaTakes(answered.schema, '1'), false);
}

function* demandFaults(key: string, row: Parameter): Generator<string> {
  for (const kind of kinds) {
    const instead = requirementOf(row, kind)?.orElse;
    const expected = row.kinds.includes(kind) ? insteadOf(key, kind) : undefined;
    yield* different(`what does in its place for a ${kind}`, instead, expected);
    const demanded = requirementOf(row, kind)?.demanded ?? false;
    const isDemanded = (form: Form): boolean =>
      typeof demanded === 'object' ? demanded.holds(form) : demanded;
    const { holds, rests } = demandOf(key, kind);
    if (!holds.every(isDemanded)) yield `is not demanded of a ${kind} that must have it`;
    if (rests.some(isDemanded)) yield `is demanded of a ${kind} that need not have it`;
  }
}

function* conflictFaults(key: string, { conflict }: Parameter): Generator<string> {
  const expected = conflictOf(key);
  yield* different('conflict', conflict !== undefined, expected !== undefined);
  if (conflict === undefined || expected === undefined) return;
  const isSeen = (form: Form): boolean => conflict.holds(form);
  if (!expected.holds.every(isSeen)) yield 'a conflict is let through';
  if (expected.rests.some(isSeen)) yield 'a conflict is seen where none is';
}

function* different<Value>(what: string, is: Value, ought: Value): Generator<string> {
  if (is !== ought) yield `${what} is ${String(is)}, and not ${String(ought)}`;
}

const SHOWN_CHARACTERS_MAX = 80;

function shown(value: string): string {
  const text = JSON.stringify(value.slice(0, SHOWN_CHARACTERS_MAX));
  return `${text} of ${value.length} characters`;
}
