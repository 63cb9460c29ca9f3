import { catalogue, structures } from './catalogue.js';
import { type Kind, kinds } from './kinds.js';
import type { Parameter, Requirement } from './parameter.js';
import { tolerated } from './tolerated.js';

/** The parameter reference as Markdown, in the interface's columns. Generated, never edited. */
export function referenceTables(): string {
  return [
    '# Parameters',
    '',
    'Generated from `libs/parameters` by `npm run generate`; do not edit.',
    '',
    'AN = any characters, A = letters, N = digits, the number is the greatest length in characters;',
    'Req: R required, C conditional, O optional. Errors are listed in the order of these tables.',
    '',
    ...Object.entries(structures).flatMap(([title, table]) => structureTable(title, table)),
    ...readInTests(),
    ...matrix(),
    ...otherNames(),
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const head = (...titles: readonly string[]): string[] => [
  row(...titles),
  `|${titles.map(() => '---').join('|')}|`,
];

function structureTable(title: string, table: Readonly<Record<string, Parameter>>): string[] {
  return [
    `## ${title}`,
    '',
    ...head('Parameter', 'Format', 'Req', 'Rule', 'Sensitivity', 'In the answer', 'Interface'),
    ...Object.entries(table).map(([key, parameter]) =>
      row(
        `\`${key}\``,
        formatText(parameter),
        parameter.requirement.letter,
        ruleOf(parameter),
        parameter.sensitivity,
        parameter.echo ? 'yes' : 'no',
        parameter.interface,
      ),
    ),
    '',
  ];
}

function formatText({ format, formatIn = {} }: Parameter): string {
  const others = Object.entries(formatIn).map(([kind, other]) => `${other.text} in a ${kind}`);
  return [format.text, ...others].join('; ');
}

function ruleOf({
  description,
  requirement,
  cardNumbers,
  onlyThere,
  deprecated,
}: Parameter): string {
  const sentences = [description];
  if (requirement.text !== undefined) sentences.push(`${capitalized(requirement.text)}.`);
  if (onlyThere) sentences.push('Refused elsewhere.');
  if (cardNumbers === 'masked') sentences.push('Card numbers in it are masked.');
  if (cardNumbers === 'refused') sentences.push('Refused if it contains the card number.');
  if (deprecated !== undefined) sentences.push(`Deprecated: ${deprecated}`);
  return sentences.join(' ');
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function readInTests(): string[] {
  const named = Object.entries(catalogue as Readonly<Record<string, Parameter>>).flatMap(
    ([key, parameter]) =>
      [...(parameter.readInTests ?? [])].map(([name, format]) =>
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

function matrix(): string[] {
  return [
    '## Which request takes what',
    '',
    'R required, C conditional, O optional, `-` accepted and ignored, `x` refused.',
    '',
    ...head('Parameter', ...kinds),
    ...Object.entries(catalogue as Readonly<Record<string, Parameter>>).map(([key, parameter]) =>
      row(`\`${key}\``, ...kinds.map((kind) => mark(parameter, kind))),
    ),
    '',
  ];
}

function mark(parameter: Parameter, kind: Kind): string {
  if (!parameter.kinds.includes(kind)) return parameter.onlyThere ? 'x' : '-';
  const requirement: Requirement = parameter.requirementIn?.[kind] ?? parameter.requirement;
  return requirement.letter;
}

function otherNames(): string[] {
  return [
    '## Accepted for clients of the interface family',
    '',
    `${listed(tolerated)}.`,
    '',
    'Any other name is refused: `200.300.404`, "is not an allowed parameter".',
    '',
  ];
}

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
