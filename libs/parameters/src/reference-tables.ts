import { legacyRecurringTypes } from '@sluice/contracts';
import { catalogue } from './catalogue.js';
import { citationOf } from './citations.js';
import { isOtherAccount } from './payment-kind.js';
import { type Kind, kinds } from './kinds.js';
import { recordingNote } from './not-yet.js';
import type { Parameter } from './parameter.js';
import {
  demandNote,
  kindTitles,
  notServed,
  type ReferenceRow,
  type ReferenceStructure,
  referenceStructures,
} from './reference-rows.js';
import { referenceLimits } from './reference-limits.js';
import { NAMED_REGISTRATIONS, NAMED_REGISTRATIONS_MAX } from './named-registrations.js';
import { tolerated } from './tolerated.js';

/** The parameter reference as Markdown, in the interface's columns. Generated, never edited. */
export function referenceTables(): string {
  return [
    '# Parameters',
    '',
    'Generated from `libs/parameters` by `npm run generate`; do not edit. A running gateway has the same',
    'with a search and a request to try at `/docs`.',
    '',
    'AN = any characters, A = letters, N = digits, the number is the greatest length in characters;',
    'Req: R required, C conditional, O optional. Errors are listed in the order of these tables.',
    '',
    demandNote(),
    '',
    recordingNote(),
    '',
    ...legend(),
    ...referenceStructures().flatMap(structureTables),
    ...limits(),
    ...testDirectives(),
    ...otherNames(),
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const head = (...titles: readonly string[]): string[] => [
  row(...titles),
  `|${titles.map(() => '---').join('|')}|`,
];

function legend(): string[] {
  return [
    'Below the rules of each structure stands which request takes what: R required, C conditional, O',
    'optional, `-` accepted and ignored, `x` refused. A request without a column ignores the whole',
    'structure, but refuses what its rule calls "refused elsewhere" or "refused beside". The columns:',
    '',
    ...head('Column', 'Request', 'Served'),
    ...kinds.map((kind) => {
      const why = notServed(kind);
      const served = why === undefined ? 'yes' : `not yet: ${why}`;
      return row(kindTitles[kind].head, kindTitles[kind].title, served);
    }),
    '',
  ];
}

function structureTables({ title, rows }: ReferenceStructure): string[] {
  return [
    `## ${title}`,
    '',
    ...head('Parameter', 'Format', 'Req', 'Rule', 'Sensitivity', 'In the answer', 'Interface'),
    ...rows.map((parameter) =>
      row(
        `\`${parameter.key}\``,
        parameter.format,
        parameter.letter,
        parameter.rule,
        parameter.sensitivity,
        parameter.answered,
        cited(parameter.interface),
      ),
    ),
    '',
    ...matrix(rows),
  ];
}

/** In the same folder stand the documents that are cited. */
function cited(section: string): string {
  const { document, anchor, text } = citationOf(section);
  return `[${text}](${document}.md#${anchor})`;
}

/** Only the kinds that use something of the structure: all of them would be 23 columns. */
function matrix(rows: readonly ReferenceRow[]): string[] {
  const columns = kinds.filter((kind) =>
    rows.some(({ uses }) => uses.some((use) => use.kind === kind)),
  );
  return [
    ...head('Parameter', ...columns.map((kind) => kindTitles[kind].head)),
    ...rows.map((parameter) =>
      row(`\`${parameter.key}\``, ...columns.map((kind) => mark(parameter, kind))),
    ),
    '',
  ];
}

function mark({ key, uses, onlyThere, refusedIn }: ReferenceRow, kind: Kind): string {
  const use = uses.find((each) => each.kind === kind);
  const isRefused =
    onlyThere || refusedIn.includes(kind) || (kind === 'payment' && isOtherAccount(key));
  return use?.letter ?? (isRefused ? 'x' : '-');
}

function limits(): string[] {
  return [
    '## Limits',
    '',
    'What is beyond a limit is refused with `200.300.404` and the error named here; where no error is',
    'named, the answer says no more.',
    '',
    ...head('What', 'At most', 'Beyond it'),
    ...referenceLimits().map(({ subject, limit, beyond }) => row(subject, limit, beyond)),
    '',
  ];
}

function testDirectives(): string[] {
  const named = Object.entries(catalogue as Readonly<Record<string, Parameter>>).flatMap(
    ([key, parameter]) =>
      [...(parameter.testDirectives ?? [])].map(([name, format]) =>
        row(`\`${key.slice(0, key.indexOf('['))}[${name}]\``, format.text),
      ),
  );
  return [
    '## What a test installation reads for the simulator',
    '',
    'Another form is refused there; a live installation ignores these names.',
    '',
    ...head('Parameter', 'Format'),
    ...named,
    '',
  ];
}

function otherNames(): string[] {
  return [
    '## Accepted for clients of the interface family',
    '',
    `Taken and neither recorded nor used: ${listed(tolerated.filter((name) => !USED.includes(name)))}.`,
    '',
    `\`${NAMED_REGISTRATIONS}\`, with n from 0, names the stored accounts that the form of a checkout offers, ${NAMED_REGISTRATIONS_MAX} at the`,
    'most; other requests take it and do not use it.',
    '',
    `\`${RECURRING}\` is taken for \`standingInstruction.*\` of a new payment, a registration or a checkout that`,
    'has no `type`, `mode` or `source`; another value is refused, and so is REPEATED with a checkout:',
    '',
    ...head(RECURRING, 'type', 'mode', 'source'),
    ...Object.entries(legacyRecurringTypes).map(([legacy, { type, mode, source }]) =>
      row(legacy, type, mode, source),
    ),
    '',
    'Any other name is refused: `200.300.404`, "is not an allowed parameter".',
    '',
  ];
}

/** The legacy word for what is `standingInstruction.*` today. */
const RECURRING = 'recurringType';

/** Those that say something. */
const USED: readonly string[] = [RECURRING, NAMED_REGISTRATIONS];

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
