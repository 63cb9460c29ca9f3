/** Whether two ids of a transaction are one: UUIDs are the same in either case (RFC 4122). */
export function isSameId(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}
