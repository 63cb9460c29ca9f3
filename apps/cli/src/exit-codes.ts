/** What the process says with its exit code; 130 is the shell's own for Ctrl-C. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  different: 3,
  refused: 4,
  interrupted: 130,
} as const;

/** One of them. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command ends here; the message is a sentence for whoever typed it. */
export class CommandEnded extends Error {
  override readonly name = 'CommandEnded';

  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
  }
}

/** What was typed makes no sense. */
export function usage(message: string): CommandEnded {
  return new CommandEnded(exitCodes.usage, message);
}

/** What was asked for is understood, and must not be done now. */
export function refused(message: string): CommandEnded {
  return new CommandEnded(exitCodes.refused, message);
}

/** What was asked for is not there, or did not work. */
export function failed(message: string): CommandEnded {
  return new CommandEnded(exitCodes.failed, message);
}
