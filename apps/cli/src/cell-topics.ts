import { cellName, commandTopicOf, SERVICE_OF_CELLS } from '@sluice/contracts';
import type { CellState } from '@sluice/event-store';
import { inspectCells } from './cells-list.js';
import { failed } from './exit-codes.js';
import type { Session } from './session.js';

/** The topic that a dead command goes back to, given the one it came from and its key. */
export type TopicOfCommand = (topic: string, key: string) => string;

const CELL_TOPIC = /^payments(?:\.[0-9]+)?\.commands\./;
const HEX = 16;

/**
 * Commands to payments go to the cell that carries their shard now: the one that they died in may
 * have lost it, and would only bury them again. With one cell every command goes where it was.
 */
export async function topicsOfCommands(session: Session): Promise<TopicOfCommand> {
  const { length } = session.settings.cellOwnerUrls ?? [];
  return length > 1 ? topicByShard(await inspectCells(session)) : (topic) => topic;
}

/** The same for cells of which it is known what they carry. */
export function topicByShard(
  cells: readonly Pick<CellState, 'cell' | 'carried'>[],
): TopicOfCommand {
  return (topic, key) => {
    if (!CELL_TOPIC.test(topic)) return topic;
    const shard = Number.parseInt(key, HEX);
    const carrier = cells.find(({ carried }) =>
      carried.some(({ first, last }) => first <= shard && shard <= last),
    );
    if (carrier === undefined) {
      throw failed(`No cell carries the shard ${key}: see "sluice cells", then redrive again.`);
    }
    return commandTopicOf(cellName(SERVICE_OF_CELLS, carrier.cell));
  };
}
