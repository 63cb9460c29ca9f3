import { commandSender, eventReaders, type ServiceName } from './services.js';

const CREATED_AT_RADIX = 36;
/** A number follows, which no other group of a service has there. */
const PROJECTION_GROUP = /^([^.]+)\.[0-9]+\./;

/** The prefix of the groups that read replies; metrics count all of them under it. */
export const REPLY_GROUP = `${commandSender}.replies`;

/** The group of one start of one instance, which reads only its own partition of replies. */
export function replyGroupOf(partition: number, nonce: string): string {
  return `${REPLY_GROUP}.${partition}.${nonce}`;
}

/** The group in which a service takes its commands. */
export function commandGroupOf(service: string): string {
  return `${service}.commands`;
}

/**
 * The group that feeds one table set of a service's projection. It contains the time at which the
 * table set was made: a restored database gives the same numbers again, and the broker still has the
 * positions of the groups from before. It begins with the service's name, because Kafka lets a
 * service read in such groups alone.
 */
export function projectionGroupOf(
  service: ServiceName,
  { id, createdAt }: { readonly id: number; readonly createdAt: Date },
): string {
  return `${service}.${id}.${createdAt.getTime().toString(CREATED_AT_RADIX)}`;
}

/** Whether a group feeds a projection: its positions are in the projection's database (D-22). */
export function isProjectionGroup(group: string): boolean {
  const service = PROJECTION_GROUP.exec(group)?.[1];
  return eventReaders.some((reader) => reader === service);
}
