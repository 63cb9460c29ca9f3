import { type CommandMessage, isElsewhere, SERVICE_OF_CELLS } from '@sluice/contracts';
import type { CommandResult, Commands, SendOptions } from '../ports.js';
import type { CellMap } from './cell-map.js';

/** No cell took it in time, and each that was asked has said that it never will. */
const NOWHERE: CommandResult<never> = { kind: 'notSent', reason: 'full' };

/**
 * Sends each command to the cell that carries its shard; its key is the shard (D-01). A cell that
 * does not carry it says so and records nothing, so the same command is sent to another one: late,
 * and never twice.
 */
export class CellCommands implements Commands {
  constructor(
    private readonly commands: Commands,
    private readonly map: CellMap,
  ) {}

  async send<Reply>(
    service: string,
    command: CommandMessage,
    options: SendOptions,
  ): Promise<CommandResult<Reply>> {
    if (service !== SERVICE_OF_CELLS) return this.commands.send<Reply>(service, command, options);
    const { deadlineMs } = options;
    const result = await this.map.find(command.key, deadlineMs, async (cell, leftMs) => {
      // By then its sender has gone: it must not live longer than that (D-03).
      const timeToLiveMs = Math.min(command.timeToLiveMs, Math.ceil(leftMs));
      const sent = { ...command, timeToLiveMs };
      const answer = await this.commands.send<Reply>(cell, sent, { deadlineMs: leftMs });
      return answer.kind === 'replied' && isElsewhere(answer.reply) ? undefined : answer;
    });
    return result ?? NOWHERE;
  }
}
