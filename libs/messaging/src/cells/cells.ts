import { cellName, FIRST_CELL, SERVICE_OF_CELLS } from '@sluice/contracts';
import type { Logger } from '@sluice/service';
import type { Commands, Queries } from '../ports.js';
import { CellCommands } from './cell-commands.js';
import { CellMap } from './cell-map.js';
import { CellQueries } from './cell-queries.js';

type Urls = Readonly<Record<string, readonly string[]>>;

/** The addresses of services with each cell under its own name; without cells just as they are. */
export function urlsWithCells(urls: Urls, cells: readonly (readonly string[])[] = []): Urls {
  const named = cells.map((instances, index): [string, readonly string[]] => [
    cellName(SERVICE_OF_CELLS, index + FIRST_CELL),
    instances,
  ]);
  return { ...urls, ...Object.fromEntries(named) };
}

/** What a process that speaks to cells is told. */
export interface CellParts {
  /** Asks by the names of `urlsWithCells`. */
  readonly queries: Queries;
  readonly cells: readonly (readonly string[])[] | undefined;
  readonly logger: Logger;
}

/** The ports of a process, as if payments were one service. */
export interface CellPorts {
  readonly queries: Queries;
  /** Sends each command to its cell. */
  commandsOver(commands: Commands): Commands;
  close(): Promise<void>;
}

/**
 * The ports to payments in all its cells, once it is known which of them carry what. With one cell
 * they are the given ones.
 */
export async function cellPorts({ queries, cells, logger }: CellParts): Promise<CellPorts> {
  const nothing = (): Promise<void> => Promise.resolve();
  if (cells === undefined || cells.length === 1) {
    return { queries, commandsOver: (commands) => commands, close: nothing };
  }
  const map = new CellMap({ queries, cells: cells.length, logger });
  await map.start();
  return {
    queries: new CellQueries(queries, map),
    commandsOver: (commands) => new CellCommands(commands, map),
    close: () => map.close(),
  };
}
