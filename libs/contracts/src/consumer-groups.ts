/** The prefix of the groups that feed projections, one for each table set. */
export const PROJECTION_GROUP_PREFIX = 'reporting.';
const CREATED_AT_RADIX = 36;

/** The prefix of the groups that read replies; metrics count all of them under it. */
export const REPLY_GROUP = 'edge.replies';

/**
 * The group of one start of one instance of edge, which reads only its own partition of replies.
 */
export function replyGroupOf(partition: number, nonce: string): string {
  return `${REPLY_GROUP}.${partition}.${nonce}`;
}

/** The group in which a service takes its commands. */
export function commandGroupOf(service: string): string {
  return `${service}.commands`;
}

/**
 * The group that feeds one table set of a projection. The name contains the time at which the table
 * set was made, because a restored database gives the same numbers again, and the broker still has
 * the positions of the earlier groups.
 */
export function projectionGroupOf(tableSet: number, createdAt: Date): string {
  return `${PROJECTION_GROUP_PREFIX}${tableSet}.${createdAt.getTime().toString(CREATED_AT_RADIX)}`;
}

/** Whether a group feeds a projection: its positions are in the projection's database (D-22). */
export function isProjectionGroup(group: string): boolean {
  return group.startsWith(PROJECTION_GROUP_PREFIX);
}
