import { wholeNumber } from '@sluice/command-line';
import { CELLS_MAX, type EventPublisher, eventPublishers, FIRST_CELL } from '@sluice/contracts';
import { type Command, Option } from 'commander';
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

/** The flag of commands about one event store. */
export interface StoreFlags {
  readonly service: EventPublisher;
}

/** What operators look at nearly always, and what was there before other services published events. */
const USUAL_STORE: EventPublisher = 'payments';

/** `--service`: one of those that publish events. */
export function serviceOption(): Option {
  return new Option('--service <name>', 'whose event store')
    .choices(eventPublishers)
    .default(USUAL_STORE);
}

/** `--cells`: how many cells of payments there are, or will be (page 0047). */
export function cellsOption(): Option {
  return new Option('--cells <number>', 'how many cells of payments there are')
    .default(FIRST_CELL)
    .argParser(wholeNumber(CELLS_MAX));
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
