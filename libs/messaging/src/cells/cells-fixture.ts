import type { CarriedShardsAnswer, CommandMessage } from '@sluice/contracts';
import type { CommandResult, Commands, Queries } from '../ports.js';
import { QueryUnavailable } from '../ports.js';
import { CellMap } from './cell-map.js';

type Ranges = CarriedShardsAnswer['carried'];

/** Cells that carry what they are told, and note what reaches them. */
export class ScriptedCells implements Commands, Queries {
  readonly carried = new Map<string, Ranges>();
  /** Those that cannot be reached. */
  readonly away = new Set<string>();
  readonly received: { cell: string; what: string; message: unknown }[] = [];
  /** Answers to queries besides that for shards, by cell. */
  answer: (cell: string, query: string, parameters: object) => unknown = () => ({});
  /** Called before each command is taken, so that a shard may move under way. */
  beforeCommand: (cell: string) => void = () => undefined;

  constructor(carried: Readonly<Record<string, Ranges>>) {
    for (const [cell, ranges] of Object.entries(carried)) this.carried.set(cell, ranges);
  }

  map(): CellMap {
    return new CellMap({ queries: this, cells: this.carried.size });
  }

  carries(cell: string, shard: string): boolean {
    const number = Number.parseInt(shard, 16);
    const ranges = this.carried.get(cell) ?? [];
    return ranges.some(([first, last]) => first <= number && number <= last);
  }

  send<Reply>(cell: string, command: CommandMessage): Promise<CommandResult<Reply>> {
    this.beforeCommand(cell);
    this.received.push({ cell, what: command.type, message: command });
    const kind = this.carries(cell, command.key) ? 'done' : 'elsewhere';
    return Promise.resolve({ kind: 'replied', reply: { kind } as Reply });
  }

  ask<Answer>(cell: string, query: string, parameters: object): Promise<Answer> {
    if (this.away.has(cell)) return Promise.reject(new QueryUnavailable(query, 'noService'));
    if (query === 'payments.carriedShards') {
      const number = Number(cell.split('.')[1] ?? 1);
      const carried = this.carried.get(cell) ?? [];
      return Promise.resolve({ cell: number, carried, closing: [] } as Answer);
    }
    this.received.push({ cell, what: query, message: parameters });
    return Promise.resolve(this.answer(cell, query, parameters) as Answer);
  }
}

/** The first half of all shards. */
export const LOWER: Ranges = [[0, 0x7fff]];
/** The second half. */
export const UPPER: Ranges = [[0x8000, 0xffff]];

/** A command with this shard as its key. */
export function commandTo(shard: string): CommandMessage {
  return {
    ...{ id: 'id', type: 'Do', schemaVersion: 1, key: shard, correlationId: 'c' },
    ...{ causationId: 'c', timeToLiveMs: 25_000, data: {} },
  };
}

/** An id with this shard in it. */
export function idIn(shard: string, end = '0'): string {
  return `0194670a0000${shard}${end.padStart(16, '0')}`;
}
