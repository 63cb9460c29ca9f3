import { COMMAND_TIME_TO_LIVE_MS, type CommandMessage } from '@sluice/contracts';
import { chainShard, newMessageId, type TransactionId } from '@sluice/identifiers';
import type { AdmittedRequest } from './access-guard.js';

/** The command that a merchant's request gives rise to; `madeId`: of what it makes or adds to. */
export function commandMessage<Command extends CommandMessage>(
  { receivedAtMs, stamp }: AdmittedRequest,
  madeId: TransactionId,
  type: Command['type'],
  data: Command['data'],
): Command {
  const id = newMessageId(receivedAtMs);
  return {
    id,
    type,
    schemaVersion: 1,
    key: chainShard(madeId),
    correlationId: stamp.ndc,
    causationId: id,
    timeToLiveMs: COMMAND_TIME_TO_LIVE_MS,
    data,
  } as Command;
}
