import { type Command, CommanderError } from 'commander';
import process from 'node:process';
import { complaintOf } from './complaint.js';

/** What the command line came to. */
export type CommandLine<Wish> =
  | { readonly kind: 'wish'; readonly wish: Wish }
  /** `--help` was asked for. */
  | { readonly kind: 'help'; readonly text: string }
  /** A sentence for standard error. */
  | { readonly kind: 'refused'; readonly reason: string };

/** One command's words, and what they are read as. */
export interface CommandWords<Wish> {
  /** Its name, description, arguments and options. */
  readonly command: Command;
  readonly words: readonly string[];
  /** What the parsed command wishes, or why it is refused all the same. */
  readonly read: (command: Command) => Exclude<CommandLine<Wish>, { readonly kind: 'help' }>;
}

/** As wide as the documents, so that help is the same everywhere. */
const HELP_WIDTH = 100;
const EXIT_REFUSED = 2;

/** Reads the words; writes nothing and ends nothing. */
export function parsed<Wish>({ command, words, read }: CommandWords<Wish>): CommandLine<Wish> {
  let help = '';
  command
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => (help += text), writeErr: () => undefined })
    .configureHelp({ helpWidth: HELP_WIDTH })
    .helpOption('-h, --help', 'print this');
  try {
    command.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return { kind: 'help', text: help };
    return { kind: 'refused', reason: complaintOf(error) };
  }
  return read(command);
}

/** What is to be done. Undefined when nothing is: help was printed, or the refusal, with exit code 2. */
export function wishOf<Wish>(commandLine: CommandLine<Wish>): Wish | undefined {
  switch (commandLine.kind) {
    case 'wish':
      return commandLine.wish;
    case 'help':
      process.stdout.write(commandLine.text);
      return undefined;
    case 'refused':
      process.stderr.write(`${commandLine.reason}\n`);
      process.exitCode = EXIT_REFUSED;
      return undefined;
  }
}
