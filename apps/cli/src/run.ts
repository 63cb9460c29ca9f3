import { complaintOf } from '@sluice/command-line';
import { serializeError } from '@sluice/service';
import { CommanderError } from 'commander';
import { type Answer, rendered } from './answer.js';
import { CommandEnded, type ExitCode, exitCodes } from './exit-codes.js';
import { allCommands, productVersion, sluiceProgram } from './program.js';
import { type GlobalFlags, Session, type ProcessContext } from './session.js';

/** By themselves alone: `streams show` has a flag of that name, for a payment's version. */
const VERSION_WORDS = ['--version', '-V'];
/** What commander calls a command that lacks the one below it; it prints the help. */
const MISSING_COMMAND = 'commander.help';

/** Runs one command line to its end and says with which exit code. Never rejects. */
export async function runSluice(
  words: readonly string[],
  processContext: ProcessContext,
): Promise<ExitCode> {
  if (words.length === 1 && VERSION_WORDS.includes(words[0] ?? '')) {
    processContext.standardOutput.write(`${productVersion()}\n`);
    return exitCodes.done;
  }
  let exitCode: ExitCode = exitCodes.done;
  let printed = '';
  const program = sluiceProgram(async (command, work) => {
    const session = new Session(command.optsWithGlobals<GlobalFlags>(), processContext);
    try {
      const answer: Answer = await work(session);
      processContext.standardOutput.write(rendered(answer, session.asJson));
      exitCode = answer.exitCode ?? exitCodes.done;
    } finally {
      await session.close();
    }
  });
  for (const command of allCommands(program)) {
    command.configureOutput({
      writeOut: (text) => processContext.standardOutput.write(text),
      // Commander's own sentences are written below, once and as ours; help is as it should be.
      writeErr: (text) => (printed += text),
    });
  }
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.code === MISSING_COMMAND) {
      processContext.standardError.write(printed);
      return exitCodes.usage;
    }
    return complain(error, processContext);
  }
}

function complain(error: unknown, { standardError, signal }: ProcessContext): ExitCode {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done;
    standardError.write(`${complaintOf(error)}\n`);
    return exitCodes.usage;
  }
  if (error instanceof CommandEnded) {
    standardError.write(`${error.message}\n`);
    return error.exitCode;
  }
  if (signal.aborted) {
    standardError.write('Interrupted.\n');
    return exitCodes.interrupted;
  }
  standardError.write(`${failureText(error)}\n`);
  return exitCodes.failed;
}

/** SQLSTATE classes and codes with a sentence that helps. */
const DATABASE_ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the password.',
  '3D000': 'There is no such database.',
  '42703': 'A column is missing; "sluice migrations status" says which schemas are behind.',
  '42P01': 'A table is missing; "sluice migrations status" says which schemas are behind.',
  '42501': 'The database role may not do that.',
};

/** Name, code and message; never the fields of a database's error, which may hold a row (D-46). */
function failureText(error: unknown): string {
  const { name, code, message } = serializeError(rootOf(error));
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
    return `The database does not answer (${code}); is the cluster running?`;
  }
  const advice = DATABASE_ADVICE[code ?? ''];
  if (advice !== undefined) return advice;
  const label = code === undefined ? name : `${name} ${code}`;
  return `This did not work (${label}): ${message}`;
}

/** Drivers and the event store wrap what the network said. */
function rootOf(error: unknown): unknown {
  const { cause, errors } = error as { cause?: unknown; errors?: readonly unknown[] };
  if (typeof cause === 'object' && cause !== null) return rootOf(cause);
  return Array.isArray(errors) && errors.length > 0 ? rootOf(errors[0]) : error;
}
