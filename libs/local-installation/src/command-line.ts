import { type CommandLine, parsed } from '@sluice/command-line';
import { loadSettings, SettingsError } from '@sluice/service';
import { Command, Option } from 'commander';
import type { Flag, LocalSettings } from './local-settings.js';

/** A command that starts an installation. */
export interface StartCommand<Settings extends LocalSettings> {
  /** As people type it: `npm start --`. */
  readonly usage: string;
  readonly description: string;
  readonly settings: new () => Settings;
  readonly flags: readonly Flag<Settings>[];
  /** The default data folder as help shows it: no path of this machine. */
  readonly shownFolder: string;
}

type VariableOfFlag = Pick<Flag, 'flag' | 'variable'>;
type Shown = Omit<Flag, 'property'> & { readonly property: string };

/** Variables that begin like ours and are somebody else's: the tests' own switches. */
const OTHERS = /^SLUICE_(?:TEST|BENCH)_/;

/** Reads flags and environment variables; a flag beats its variable. */
export function readCommandLine<Settings extends LocalSettings>(
  start: StartCommand<Settings>,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): CommandLine<Settings> {
  const command = described(start);
  const repeated = noteRepeated(command);
  return parsed({ command, words, read: () => settingsOf(start, command, repeated, environment) });
}

function settingsOf<Settings extends LocalSettings>(
  start: StartCommand<Settings>,
  command: Command,
  repeated: ReadonlySet<string>,
  environment: NodeJS.ProcessEnv,
): CommandLine<Settings> & { kind: 'wish' | 'refused' } {
  const [twice] = repeated;
  if (twice !== undefined) {
    return { kind: 'refused', reason: `${twice} is given more than once; see --help.` };
  }
  const empty = command.options.find(
    (option) => command.getOptionValue(option.attributeName()) === '',
  );
  if (empty?.long !== undefined) {
    // Perhaps a shell variable that is not set; the default may be a folder somebody needs.
    return { kind: 'refused', reason: `${empty.long} is given without a value; see --help.` };
  }
  const unknown = unknownVariable(start.flags, environment);
  if (unknown !== undefined) {
    return { kind: 'refused', reason: `${unknown} is not a setting of Sluice; see --help.` };
  }
  try {
    return {
      kind: 'wish',
      wish: loadSettings(start.settings, merged(start.flags, command, environment)),
    };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { kind: 'refused', reason: withFlagNames(start.flags, error.message) };
  }
}

function described<Settings extends LocalSettings>({
  usage,
  description,
  settings,
  flags,
  shownFolder,
}: StartCommand<Settings>): Command {
  const command = new Command(usage).description(description);
  const defaults = new settings();
  for (const flag of flags) command.addOption(optionOf(flag, defaults, shownFolder));
  return command.addHelpText(
    'after',
    '\nIn brackets: the environment variable for the same setting, and its default.',
  );
}

/** Of two values one would silently do nothing. Filled while the words are parsed. */
function noteRepeated(command: Command): ReadonlySet<string> {
  const given = new Set<string>();
  const repeated = new Set<string>();
  for (const option of command.options) {
    command.on(`option:${option.name()}`, () => {
      const name = `--${option.name()}`;
      (given.has(name) ? repeated : given).add(name);
    });
  }
  return repeated;
}

function optionOf(
  { flag, variable, description, property }: Shown,
  defaults: object,
  shownFolder: string,
): Option {
  const value: unknown = Reflect.get(defaults, property);
  const shown = property === 'dataFolder' ? shownFolder : textOf(value);
  const suffix = value === undefined ? '' : `=${shown}`;
  return new Option(flag, `${description} (${variable}${suffix})`);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** The environment as if every flag had been given there. */
function merged(
  flags: readonly VariableOfFlag[],
  command: Command,
  environment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const result = { ...environment };
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    const variable = flags.find(({ flag }) => flag === option.flags)?.variable;
    if (value === undefined || variable === undefined) continue;
    result[variable] = textOf(value);
    result[`${variable}_FILE`] = undefined;
  }
  return result;
}

/** A misspelt variable would otherwise be a setting that silently does nothing. */
function unknownVariable(
  flags: readonly VariableOfFlag[],
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const known = new Set(flags.map(({ variable }) => variable));
  return Object.keys(environment).find(
    (name) => name.startsWith('SLUICE_') && !known.has(name) && !OTHERS.test(name),
  );
}

/** Whoever typed a flag may not know its variable, and the other way round: both are named. */
function withFlagNames(flags: readonly VariableOfFlag[], message: string): string {
  return flags.reduce((text, { flag, variable }) => {
    const name = flag.split(' ', 1)[0] ?? flag;
    return text
      .replaceAll(`${variable} `, `${name} (${variable}) `)
      .replaceAll(`${variable}_FILE `, `${name} (${variable}_FILE) `);
  }, message);
}
