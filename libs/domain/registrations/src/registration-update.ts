import type { RegistrationEventMetadata } from '@sluice/contracts';
import { codes, successCode } from '@sluice/result-codes';
import type { RecordUpdate, UpdateRegistration } from './commands.js';
import type { Registration } from './registration.js';
import type { RegistrationEvent } from './registration-events.js';
import { keptUntilWith } from './retention.js';

/** What the vault need not know of is done with the request itself. */
export function updateDecided(
  { transactionId, parameters, expiry, personal, metadata }: UpdateRegistration,
  { id: referencedId, revision: before, keptUntilMs = 0 }: Registration,
): RegistrationEvent[] {
  const revision = before + 1;
  const data = {
    ...{ transactionId, referencedId, parameters, revision },
    ...(expiry !== undefined && { expiry }),
    ...(personal !== undefined && { personal }),
  };
  const requested = { type: 'UpdateRequested', data, metadata } as const;
  if (expiry !== undefined) return [requested];
  const resultCode = successCode(metadata.mode);
  const done = { transactionId, referencedId, resultCode, keptUntilMs };
  return [requested, { type: 'RegistrationUpdated', data: done, metadata }];
}

/** What the vault says of the open update; nothing where none is. */
export function updateRecorded(
  { isChanged, nowMs }: RecordUpdate,
  { id: referencedId, update, keptUntilMs = 0, metadata: requested }: Registration,
): RegistrationEvent[] {
  if (update === undefined) return [];
  const { transactionId, expiry } = update;
  const metadata = { ...requested, recordedAtMs: nowMs };
  if (!isChanged) return [notUpdated(update.transactionId, referencedId, metadata)];
  const until = expiry === undefined ? keptUntilMs : keptUntilWith(expiry, keptUntilMs);
  const resultCode = successCode(metadata.mode);
  const data = { transactionId, referencedId, resultCode, keptUntilMs: until };
  return [{ type: 'RegistrationUpdated', data, metadata }];
}

/** What ends takes no open update with it: that one is answered, too. */
export function updateGivenUp(
  { metadata }: { readonly metadata: RegistrationEventMetadata },
  { id, update }: Registration,
): RegistrationEvent[] {
  return update === undefined ? [] : [notUpdated(update.transactionId, id, metadata)];
}

function notUpdated(
  transactionId: Registration['id'],
  referencedId: Registration['id'],
  metadata: RegistrationEventMetadata,
): RegistrationEvent {
  const data = { transactionId, referencedId, resultCode: codes.notPerformed };
  return { type: 'RegistrationNotUpdated', data, metadata };
}
