import { COMMAND_TIME_TO_LIVE_MS, type CommandMessage, type Instrument } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import type { CommandResult, Commands, SendOptions } from '@sluice/messaging';
import type { Form } from '@sluice/parameters';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, Refused } from './answer.js';
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

const UNTIL_ITS_LIFE_ENDS: SendOptions = { deadlineMs: COMMAND_TIME_TO_LIVE_MS };

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
   * What is answered in place of sending a command, if anything is: nobody needs what is held for it
   * then, nor where it is refused.
   */
  async unlessInstead(
    instrument: Instrument,
    asked: Promise<Answer | undefined>,
  ): Promise<Answer | undefined> {
    let isToBeSent = false;
    try {
      const instead = await asked;
      isToBeSent = instead === undefined;
      return instead;
    } finally {
      if (!isToBeSent) this.instruments.forget(instrument);
    }
  }

  /** Sends a command once and answers as its kind does; throws Refused if it never left. */
  async send<Sent extends Sending, Reply, Result>(
    sending: Sent,
    kind: ServiceCommands<Sent, Reply, Result>,
  ): Promise<Result> {
    const { admitted, command, instrument } = sending;
    if (isTooLarge(command, admitted.form)) {
      this.instruments.forget(instrument);
      throw new Refused(invalidParameters({ name: 'body', message: 'is too large' }));
    }
    if (kind.isRejection(sending)) this.instruments.forget(instrument);
    const result = await this.inFlight.whileSending(kind.idOf(sending), admitted.receivedAtMs, () =>
      this.#commands.send<Reply>(kind.service, command, UNTIL_ITS_LIFE_ENDS),
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
        throw new Refused(result.reason === 'full' ? BUSY : UNAVAILABLE);
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
