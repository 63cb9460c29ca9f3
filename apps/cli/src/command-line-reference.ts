import type { Argument, Command, Option } from 'commander';
import { exampleOf } from './command-parts.js';
import { allCommands, sluiceProgram } from './program.js';
import { describeSettings } from '@sluice/service';
import { ConnectionSettings } from './settings.js';

/** The page `docs/reference/command-line.md`, from the definitions that the program itself uses. */
export function commandLineReference(): string {
  const program = sluiceProgram(() => Promise.resolve());
  const commands = allCommands(program).filter(({ commands: below }) => below.length === 0);
  return `${[head(program), ...commands.map(section), variables()].join('\n\n')}\n`;
}

function head(program: Command): string {
  return [
    '# The command line',
    '',
    'Generated from `apps/cli` by `npm run generate`; do not edit.',
    '',
    '`npm run --silent sluice -- <command>` in a checkout. Every command has these flags too:',
    '',
    optionTable(program.options),
    '',
    'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 differences were found, 4 refused (nothing was done), 130 interrupted.',
    'Answers go to standard output, progress and sentences about errors to standard error.',
  ].join('\n');
}

function section(command: Command): string {
  const example = exampleOf(command);
  return [
    `## ${pathOf(command)}`,
    '',
    `${capital(command.description())}.`,
    ...(command.registeredArguments.length === 0
      ? []
      : ['', argumentTable(command.registeredArguments)]),
    ...(command.options.length === 0 ? [] : ['', optionTable(command.options)]),
    ...(example.length === 0 ? [] : ['', '```sh', ...example, '```']),
  ].join('\n');
}

function pathOf(command: Command): string {
  const parent = command.parent;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

function optionTable(options: readonly Option[]): string {
  return table(
    ['flag', 'meaning'],
    options.map(({ flags, description, argChoices = [], defaultValue }) => [
      `\`${flags}\``,
      [
        description,
        ...(argChoices.length === 0 ? [] : [`: ${argChoices.join(', ')}`]),
        ...(typeof defaultValue === 'string' ? [` (default ${defaultValue})`] : []),
      ].join(''),
    ]),
  );
}

function argumentTable(arguments_: readonly Argument[]): string {
  return table(
    ['argument', 'meaning'],
    arguments_.map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
      return [`\`${argument.required ? name : `[${name}]`}\``, argument.description];
    }),
  );
}

function variables(): string {
  const rows = describeSettings(ConnectionSettings).map(
    ({ name, meaning, secret, default: value }) => [
      `\`${name}\`${secret ? `, \`${name}_FILE\`` : ''}`,
      value === undefined || value === '' ? meaning : `${meaning} (default ${value})`,
    ],
  );
  return [
    '## Where things are',
    '',
    'Flags come before these variables, and variables before what a running `npm run cluster` has left in its data folder',
    '(`installation.json`, for its owner alone), so nothing need be said on the machine where the cluster runs.',
    '',
    table(['variable', 'meaning'], rows),
  ].join('\n');
}

/** As wide as prettier would make it. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [titles, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = titles.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  const lines = cells.map(
    (row) => `| ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
