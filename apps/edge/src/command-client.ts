import type { CommandMessage, Instrument } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import type { CommandResult, Commands } from '@sluice/messaging';
import type { Form } from '@sluice/parameters';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, type Refusal, Refused } from './answer.js';
import type { HeldInstruments } from './held-instruments.js';
import type { IdempotencyClaims } from './idempotency-claims.js';
import type { IdsInFlight } from './ids-in-flight.js';
import type { KeptParameters } from './kept-parameters.js';
import { BUSY, invalidParameters, UNAVAILABLE } from './refusals.js';

/** D-15: a larger command is refused, because the brokers would refuse it. */
const COMMAND_BYTES_MAX = 2 * 1024 * 1024;

/** A command ready to go, with what its answer needs. */
export interface Sending<Command extends CommandMessage = CommandMessage> {
  readonly admitted: AdmittedRequest;
  readonly command: Command;
  /** The vault forgets its details as soon as it is certain that nobody will need them. */
  readonly instrument?: Instrument;
}

/**
 * What is particular about the commands to one service, and how each result is answered (D-34):
 * with what the merchant gets, unless more is to be done.
 */
export interface ServiceCommands<Sent extends Sending, Reply, Result = Answer> {
  readonly service: string;
  /** The id of the transaction that a command makes. */
  idOf(sending: Sent): TransactionId;
  /** Whether the command only has a refusal recorded, which needs no instrument. */
  isRejection(sending: Sent): boolean;
  /** Whether something is recorded by this reply that may still need the instrument. */
  needsInstrument(reply: Reply): boolean;
  /** The service has replied. */
  replied(reply: Reply, sending: Sent): Result | Promise<Result>;
  /** The service has the command, but no reply came in time. */
  unanswered(sending: Sent): Result;
  /** The service gave it up; it may have recorded something before that (D-17). */
  failed(sending: Sent): Promise<Result>;
  /** It may have left, and nothing more is known. */
  uncertain(sending: Sent): Result;
}

/** What commands are made and sent with. */
export interface CommandClientParts {
  readonly commands: Commands;
  readonly instruments: HeldInstruments;
  readonly kept: KeptParameters;
  readonly claims: IdempotencyClaims;
  readonly inFlight: IdsInFlight;
}

/** What came of that which has to be done before a command is sent. */
export type Beforehand =
  /** There will be no such transaction. */
  | { readonly kind: 'instead'; readonly answer: Answer }
  /** It may be performed for so long yet. */
  | { readonly kind: 'done'; readonly leftMs: number };

/** Whether a command is still to be sent: as it is sent then, or what is answered in its place. */
export type Prepared<Command extends CommandMessage> =
  | Extract<Beforehand, { readonly kind: 'instead' }>
  | { readonly kind: 'ready'; readonly command: Command };

/** The command has not left, and never will. */
export class NeverSent extends Refused {
  constructor(refusal: Refusal) {
    super(refusal);
    this.name = 'NeverSent';
  }
}

/** The way in which operations send a command to another service. */
export class CommandClient {
  /** Where the details go that a form pays with. */
  readonly instruments: HeldInstruments;
  /** Which parameters of a form go with its command. */
  readonly kept: KeptParameters;
  readonly claims: IdempotencyClaims;
  /** The ids that may still be recorded. */
  readonly inFlight: IdsInFlight;
  readonly #commands: Commands;

  constructor({ commands, instruments, kept, claims, inFlight }: CommandClientParts) {
    this.instruments = instruments;
    this.kept = kept;
    this.claims = claims;
    this.inFlight = inFlight;
    this.#commands = commands;
  }

  /**
   * Has that done which comes before a command: it lives no longer than is left for it then. Where
   * something is answered in its place, or it is refused, nobody needs what is held for it.
   */
  async prepared<Command extends CommandMessage>(
    command: Command,
    instrument: Instrument,
    before: ((command: Command) => Promise<Beforehand>) | undefined,
  ): Promise<Prepared<Command>> {
    if (before === undefined) return { kind: 'ready', command };
    let isToBeSent = false;
    try {
      const beforehand = await before(command);
      if (beforehand.kind === 'instead') return beforehand;
      isToBeSent = true;
      const timeToLiveMs = Math.min(command.timeToLiveMs, beforehand.leftMs);
      return { kind: 'ready', command: { ...command, timeToLiveMs } };
    } finally {
      if (!isToBeSent) this.instruments.forget(instrument);
    }
  }

  /** Sends a command once and answers as its kind does; throws NeverSent if it never left. */
  async send<Sent extends Sending, Reply, Result>(
    sending: Sent,
    kind: ServiceCommands<Sent, Reply, Result>,
  ): Promise<Result> {
    const { admitted, command, instrument } = sending;
    if (isTooLarge(command, admitted.form)) {
      this.instruments.forget(instrument);
      throw new NeverSent(invalidParameters({ name: 'body', message: 'is too large' }));
    }
    if (kind.isRejection(sending)) this.instruments.forget(instrument);
    const result = await this.inFlight.whileSending(kind.idOf(sending), () =>
      this.#commands.send<Reply>(kind.service, command, { deadlineMs: command.timeToLiveMs }),
    );
    if (isInstrumentUseless(result, kind)) this.instruments.forget(instrument);
    switch (result.kind) {
      case 'replied':
        return kind.replied(result.reply, sending);
      case 'unanswered':
        return kind.unanswered(sending);
      case 'failed':
        return kind.failed(sending);
      case 'uncertain':
        return kind.uncertain(sending);
      case 'notSent':
        throw new NeverSent(result.reason === 'full' ? BUSY : UNAVAILABLE);
    }
  }
}

/** A command that was not recorded, or is refused or repeated, never needs its instrument. */
function isInstrumentUseless<Sent extends Sending, Reply>(
  result: CommandResult<Reply>,
  kind: ServiceCommands<Sent, Reply, unknown>,
): boolean {
  return (
    result.kind === 'notSent' || (result.kind === 'replied' && !kind.needsInstrument(result.reply))
  );
}

/** Whether a command is too large to be sent; costs nothing for ordinary ones. */
function isTooLarge(command: CommandMessage, form: Form): boolean {
  return (
    largestSize(form) > COMMAND_BYTES_MAX &&
    Buffer.byteLength(JSON.stringify(command)) > COMMAND_BYTES_MAX
  );
}

/**
 * JSON may need six bytes for one character, which become eight when sealed, and a command has some
 * 2 kB besides the form.
 */
const BYTES_PER_CHARACTER_MAX = 8;

function largestSize(form: Form): number {
  let characters = 0;
  for (const [name, value] of form.entries()) {
    characters += name.length + value.length;
  }
  return characters * BYTES_PER_CHARACTER_MAX;
}
