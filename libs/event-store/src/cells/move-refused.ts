/** What was asked for must not be done, and nothing was changed by asking; the message says why. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}

/**
 * The move failed and the range is back: the source carries it as before. What is copied stays, so
 * that the next attempt goes on from there.
 */
export class MoveGivenBack extends Error {
  override readonly name = 'MoveGivenBack';

  constructor(options: ErrorOptions) {
    super(
      `The range is carried by the source again, because the move failed: ${reasonOf(options.cause)} ` +
        'Run the same command again to go on.',
      options,
    );
  }
}

/**
 * The move failed, and which cell carries the range now is not known: one of the databases does not
 * answer. No payment can be recorded in two cells, but the range may be carried by none.
 */
export class MoveInDoubt extends Error {
  override readonly name = 'MoveInDoubt';

  constructor(options: ErrorOptions) {
    super(
      `It is not certain which cell carries the range now: ${reasonOf(options.cause)} ` +
        'Until that is known it may be that no payment of the range can be begun. Run the same command ' +
        'again as soon as both databases answer: it asks them, and goes on from there.',
      options,
    );
  }
}

/** What an error says, as a sentence. */
export function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.endsWith('.') ? text : `${text}.`;
}
