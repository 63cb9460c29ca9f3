import type { Command } from 'commander';
import type { Answer } from './answer.js';
import type { Session } from './session.js';

/** Runs a command's work with a session and writes its answer; the program has one. */
export type Perform = (
  command: Command,
  work: (session: Session) => Promise<Answer>,
) => Promise<void>;

/** For flags that may be repeated. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** The example at the end of a command's help, which the reference shows as well. */
export function withExample(command: Command, ...lines: readonly string[]): Command {
  examples.set(command, lines);
  return command.addHelpText('after', `\nExample:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

const examples = new WeakMap<Command, readonly string[]>();

/** The example of a command, if it has one. */
export function exampleOf(command: Command): readonly string[] {
  return examples.get(command) ?? [];
}
