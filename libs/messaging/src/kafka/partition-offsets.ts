/**
 * Which messages of one partition are handled. They end in any order, but only the position before
 * the first open one may be committed: everything behind it comes again after a crash.
 */
export class PartitionOffsets {
  /** In the order of their offsets, because that is how they are added. */
  readonly #open = new Set<number>();
  #next: number | undefined;
  #committed: number | undefined;
  #start: number | undefined;

  /** Reading begins here, as the subscriber has said. */
  startAt(offset: number): void {
    this.#start = offset;
  }

  /** A message has come; its work begins. */
  add(offset: number): void {
    this.#open.add(offset);
    this.#next = offset + 1;
  }

  /** The work for a message has ended. */
  complete(offset: number): void {
    this.#open.delete(offset);
  }

  /** How many messages are not dealt with. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Whether there is something to commit, or will be once the work under way has ended. */
  get isUnsettled(): boolean {
    return this.#open.size > 0 || this.uncommitted !== undefined;
  }

  /** The first message that is not handled; undefined while unknown. */
  get position(): number | undefined {
    const [first] = this.#open;
    return first ?? this.#next ?? this.#start;
  }

  /** The offset to commit, i.e. of the next message to read; undefined when nothing has changed. */
  get uncommitted(): number | undefined {
    const [first] = this.#open;
    const position = first ?? this.#next;
    return position === this.#committed ? undefined : position;
  }

  /** Whether a member of the group that takes over would begin behind this message. */
  isBehindUs(offset: number): boolean {
    return this.#committed !== undefined && this.#committed > offset;
  }

  /** A commit has succeeded. */
  committed(position: number): void {
    this.#committed = position;
  }
}
