import type { AppendMember, MarkName } from './append-member.js';
import { aloneStatement } from './append-alone.js';
import { nameOf, type Sections, type Statement } from './append-parts.js';
import { appendStatement } from './append-statement.js';
import { binaryArray, type ElementType, type ElementValues } from './binary-array.js';
import { lookupKeyOf } from './lookup-key.js';

const MS_PER_S = 1_000;
/** In the statement, a due time below zero leaves that of the head unchanged. */
const DUE_UNCHANGED_S = -1;

/** A statement and its parameters, ready to be executed. */
export type Append = Statement & { readonly values: Buffer[] };

/** What every append to a store includes. */
export interface StoreTraits {
  /** Events are put into the outbox, too. */
  readonly publishes: boolean;
  /** Stream ids have chain shards, and appends to those not carried are refused (page 0047). */
  readonly hasShards: boolean;
}

/** The append statements of one schema, one for each set of sections, made when first needed. */
export class AppendStatements {
  readonly #made = new Map<string, Statement>();

  constructor(
    private readonly schema: string,
    private readonly store: StoreTraits,
  ) {}

  /** The append of these members, which returns what became of each. */
  of(members: readonly AppendMember[]): Append {
    return this.#prepare(appendStatement, members);
  }

  /** The append of this member alone, which returns nothing if it appended nothing. */
  ofAlone(member: AppendMember): Append {
    return this.#prepare(aloneStatement, [member]);
  }

  #prepare(
    make: (schema: string, sections: Sections) => Statement,
    members: readonly AppendMember[],
  ): Append {
    const sections = sectionsOf(members, this.store);
    const key = nameOf(make.name, sections);
    let statement = this.#made.get(key);
    if (statement === undefined) {
      statement = make(this.schema, sections);
      this.#made.set(key, statement);
    }
    return { ...statement, values: parametersOf(members, sections) };
  }
}

function sectionsOf(
  members: readonly AppendMember[],
  { publishes, hasShards }: StoreTraits,
): Sections {
  return {
    newStreams: members.some(({ expectedVersion }) => expectedVersion === 0),
    idempotency: members.some(({ idempotency }) => idempotency !== undefined),
    transactions: members.some(({ transactionIds }) => (transactionIds?.length ?? 0) > 0),
    personalKeys: members.some(({ personalKey }) => personalKey !== undefined),
    outbox: publishes,
    shards: hasShards,
    unmarked: members.some(({ unmarked }) => unmarked !== undefined),
    marks: members.some(dependsOnOrLeavesMarks),
    cleared: members.some(({ marks }) => (marks?.cleared.length ?? 0) > 0),
    tenants: members.some(({ tenant }) => tenant !== undefined),
  };
}

function dependsOnOrLeavesMarks({ heldMark, marks }: AppendMember): boolean {
  return heldMark !== undefined || (marks?.left.length ?? 0) + (marks?.withdrawn.length ?? 0) > 0;
}

/** One array for each parameter, in the order in which the statement numbers them. */
function parametersOf(members: readonly AppendMember[], sections: Sections): Buffer[] {
  return [
    ...memberArrays(members, sections),
    ...(sections.transactions ? transactionArrays(members) : []),
    ...wantedMarkArrays(members, sections),
    ...(sections.idempotency ? idempotencyArrays(members) : []),
    ...eventArrays(members),
    ...(sections.personalKeys ? personalKeyArrays(members) : []),
    ...markChangeArrays(members, sections),
  ];
}

function memberArrays(
  members: readonly AppendMember[],
  { tenants }: Pick<Sections, 'tenants'>,
): Buffer[] {
  return [
    column('text', members, ({ streamId }) => streamId),
    column('int4', members, ({ expectedVersion }) => expectedVersion),
    column('int4', members, ({ events }) => events.length),
    column('uuid', members, ({ commandId }) => commandId),
    column('float8', members, ({ notAfterMs }) => seconds(notAfterMs ?? null)),
    column('float8', members, ({ dueInMs }) => dueSeconds(dueInMs)),
    ...(tenants ? [column('text', members, ({ tenant }) => tenant ?? '')] : []),
  ];
}

function idempotencyArrays(members: readonly AppendMember[]): Buffer[] {
  const rows = rowsOf(members, ({ idempotency }) => (idempotency ? [idempotency] : []));
  return [
    column('int4', rows, ({ ordinal }) => ordinal),
    column('text', rows, ({ row }) => row.key),
    column('text', rows, ({ row }) => row.fingerprint),
    column('json', rows, ({ row }) => row.answer),
    column('text', rows, ({ row }) => row.transactionId),
  ];
}

function transactionArrays(members: readonly AppendMember[]): Buffer[] {
  const rows = rowsOf(members, ({ transactionIds = [], lookupText }) => {
    const key = lookupText === undefined ? null : lookupKeyOf(lookupText);
    return transactionIds.map((id) => ({ id, key }));
  });
  return [
    column('int4', rows, ({ ordinal }) => ordinal),
    column('text', rows, ({ row }) => row.id),
    column('int8', rows, ({ row }) => row.key),
  ];
}

function eventArrays(members: readonly AppendMember[]): Buffer[] {
  const rows = rowsOf(members, ({ events }) => events);
  return [
    column('int4', rows, ({ ordinal }) => ordinal),
    column('int4', rows, ({ number }) => number),
    column('uuid', rows, ({ row }) => row.id),
    column('text', rows, ({ row }) => row.type),
    column('int2', rows, ({ row }) => row.schemaVersion),
    column('json', rows, ({ row }) => row.data),
    column('json', rows, ({ row }) => row.metadata),
  ];
}

function personalKeyArrays(members: readonly AppendMember[]): Buffer[] {
  const rows = rowsOf(members, ({ personalKey }) => (personalKey ? [personalKey] : []));
  return [
    column('int4', rows, ({ ordinal }) => ordinal),
    column('bytea', rows, ({ row }) => row.wrapped),
  ];
}

function wantedMarkArrays(
  members: readonly AppendMember[],
  sections: Pick<Sections, 'unmarked' | 'marks'>,
): Buffer[] {
  const unmarked = rowsOf(members, ({ unmarked: subjects }) => subjects ?? []);
  const held = rowsOf(members, ({ heldMark }) => (heldMark ? [heldMark] : []));
  return [
    ...(sections.unmarked
      ? [
          column('int4', unmarked, ({ ordinal }) => ordinal),
          column('text', unmarked, ({ row }) => row),
        ]
      : []),
    ...(sections.marks
      ? [...markNameArrays(held), column('int4', held, ({ row }) => row.version)]
      : []),
  ];
}

function markChangeArrays(
  members: readonly AppendMember[],
  sections: Pick<Sections, 'marks' | 'cleared'>,
): Buffer[] {
  const left = rowsOf(members, ({ marks }) => marks?.left ?? []);
  const withdrawn = rowsOf(members, ({ marks }) => marks?.withdrawn ?? []);
  const cleared = rowsOf(members, ({ marks }) => marks?.cleared ?? []);
  const changed = (): Buffer[] => [
    ...markNameArrays(left),
    column('json', left, ({ row }) => row.data),
    column('float8', left, ({ row }) => seconds(row.untilMs ?? null)),
    column('int2', left, ({ row }) => Number(row.lasting)),
    ...markNameArrays(withdrawn),
  ];
  return [
    ...(sections.marks ? changed() : []),
    ...(sections.cleared
      ? [
          column('int4', cleared, ({ ordinal }) => ordinal),
          column('text', cleared, ({ row }) => row),
        ]
      : []),
  ];
}

function markNameArrays(rows: readonly NumberedRow<MarkName>[]): Buffer[] {
  return [
    column('int4', rows, ({ ordinal }) => ordinal),
    column('text', rows, ({ row }) => row.subject),
    column('text', rows, ({ row }) => row.transactionId),
  ];
}

/**
 * A row that belongs to a member: the member's number and the row's number within it, both from 1.
 */
interface NumberedRow<Row> {
  readonly ordinal: number;
  readonly number: number;
  readonly row: Row;
}

function rowsOf<Row>(
  members: readonly AppendMember[],
  pick: (member: AppendMember) => readonly Row[],
): readonly NumberedRow<Row>[] {
  const rows: NumberedRow<Row>[] = [];
  members.forEach((member, index) => {
    pick(member).forEach((row, place) => {
      rows.push({ ordinal: index + 1, number: place + 1, row });
    });
  });
  return rows;
}

function column<Type extends ElementType, Row>(
  type: Type,
  rows: readonly Row[],
  pick: (row: Row) => ElementValues[Type],
): Buffer {
  return binaryArray(type, rows.map(pick));
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / MS_PER_S;
}

function dueSeconds(dueInMs: number | null | undefined): number | null {
  if (dueInMs === undefined) return DUE_UNCHANGED_S;
  return seconds(dueInMs === null ? null : Math.max(0, dueInMs));
}
