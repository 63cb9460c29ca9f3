import { type Proposal, stateOf, Streams, StreamWriter } from '@sluice/aggregates';
import type { SubscriptionEventMetadata } from '@sluice/contracts';
import {
  collects,
  refusalOf,
  type Subscription,
  type SubscriptionCommand,
  subscriptionDecider,
  type SubscriptionEvent,
  subscriptionEventCodec,
  type SubscriptionRefusal,
  type SubscriptionState,
} from '@sluice/domain-webhooks';
import { type Checkpoint, checkpointAtStart, type EventStore } from '@sluice/event-store';
import { type EntityId, newMessageId } from '@sluice/identifiers';
import { SharedLook } from '@sluice/messaging';
import type { Clock, EntityClock } from '@sluice/service';

/** The parts they are made of. */
export interface SubscriptionsParts {
  readonly store: EventStore;
  /** Of the machine. */
  readonly machine: Pick<Clock, 'now' | 'monotonicMs'>;
  /** A subscription is dated by the clock of its node, where that is a channel. */
  readonly clock: Pick<EntityClock, 'now'>;
}

/**
 * What happens is compared with subscriptions that were read so long ago at most: events are many, and changes
 * of subscriptions are few. So late, at most, a process hears of what another one has changed.
 */
export const KNOWN_FOR_MS = 500;

/** An operator or a receiver's answer writes; neither does often. */
const WAITING_PER_SUBSCRIPTION_MAX = 100;
/** How many events one search for changes covers. */
const HEADS_AT_ONCE = 10_000;
/** Read at once: a few milliseconds of the database. */
const READ_AT_ONCE = 100;

const subscription = { decider: subscriptionDecider, codec: subscriptionEventCodec };

/** Those that hear of what happens at a node itself, by node. */
export type Listeners = ReadonlyMap<EntityId, readonly Subscription[]>;

/** Every subscription, those that were removed included, by id. */
type All = ReadonlyMap<string, Subscription>;

interface Recent {
  /** When their reading began, on the monotonic clock. */
  readonly beganAtMs: number;
  readonly found: Promise<All>;
}

interface Known {
  readonly version: number;
  readonly state: Subscription;
}

/** All subscriptions of an installation: a stream for each, and all of them in memory. */
export class Subscriptions {
  readonly #streams = new Streams<SubscriptionState>(
    subscriptionDecider.initialState,
    WAITING_PER_SUBSCRIPTION_MAX,
  );
  readonly #writer: StreamWriter<SubscriptionCommand, SubscriptionState, SubscriptionEvent>;
  readonly #look = new SharedLook(() => this.#readChanged());
  /** The state of the streams up to `#checkpoint`, in the store with this incarnation. */
  #known = new Map<string, Known>();
  /** The same without versions, and by node; made anew when one has changed. */
  #all: All | undefined;
  #listeners: Listeners = new Map();
  #checkpoint: Checkpoint = checkpointAtStart;
  #incarnation: string | undefined;
  #recent: Recent | undefined;

  constructor(private readonly parts: SubscriptionsParts) {
    this.#writer = new StreamWriter(subscription, parts.store, parts.machine);
  }

  /** Every subscription as it is now, those that were removed included, by id. */
  now(): Promise<All> {
    return this.#look.now();
  }

  /** The same, read `KNOWN_FOR_MS` ago at most or since this process changed one. */
  recent(): Promise<All> {
    const nowMs = this.parts.machine.monotonicMs();
    const before = this.#recent;
    if (before !== undefined && nowMs - before.beganAtMs < KNOWN_FOR_MS) return before.found;
    const recent = { beganAtMs: nowMs, found: this.now() };
    this.#recent = recent;
    // Whoever asks next reads again; whoever has asked hears of the failure.
    recent.found.catch(() => {
      if (this.#recent === recent) this.#recent = undefined;
    });
    return recent.found;
  }

  /** Those that hear of what happens now, as recent as that. */
  async listeners(): Promise<Listeners> {
    await this.recent();
    return this.#listeners;
  }

  /** Every change of one, the oldest first. */
  async history(id: string): Promise<readonly SubscriptionEvent[]> {
    return (await this.parts.store.read(id)).map(subscriptionEventCodec.decode);
  }

  /** Decides and records a command about one; nothing is recorded of a command that is refused. */
  async decide(
    id: string,
    actor: string,
    commandOf: (metadata: SubscriptionEventMetadata) => SubscriptionCommand,
  ): Promise<SubscriptionRefusal | undefined> {
    const nowMs = this.parts.clock.now((await this.now()).get(id)?.nodeId ?? '');
    const commandId = newMessageId(nowMs);
    const causes = { actor, correlationId: commandId, causationId: commandId };
    const command = commandOf({ recordedAtMs: nowMs, ...causes });
    const stream = this.#streams.hold(id);
    try {
      const propose = async (): Promise<Proposal<SubscriptionCommand, SubscriptionRefusal>> => {
        // Others write, too: the command line, and the other processes of this service.
        await this.#writer.reload(stream);
        const refusal = refusalOf(command, stream.state);
        return refusal === undefined
          ? { kind: 'command', command, claims: { commandId } }
          : { kind: 'answered', answer: refusal };
      };
      const result = await this.#streams.exclusively(stream, () =>
        this.#writer.accept(stream, propose),
      );
      if (result.kind === 'answered') return result.answer;
      if (result.kind === 'recorded' || result.kind === 'nothingNew') return undefined;
      throw new Error(`The subscription ${id} could not be changed: ${result.kind}`);
    } finally {
      this.#recent = undefined;
      this.#streams.release(stream);
    }
  }

  /** Gives up what is still being written. */
  close(): void {
    this.#writer.close();
  }

  /** Reads the streams that have changed since the last time, including commits out of order. */
  async #readChanged(): Promise<All> {
    const { store } = this.parts;
    const incarnation = await store.incarnation();
    if (incarnation !== this.#incarnation) {
      this.#known = new Map();
      this.#checkpoint = checkpointAtStart;
      this.#incarnation = incarnation;
      this.#all = undefined;
    }
    this.#checkpoint = await store.walkHeadsNow(this.#checkpoint, HEADS_AT_ONCE, async (heads) => {
      const changed = heads.filter(
        ({ streamId, version }) => (this.#known.get(streamId)?.version ?? 0) < version,
      );
      for (let at = 0; at < changed.length; at += READ_AT_ONCE) {
        const some = changed.slice(at, at + READ_AT_ONCE);
        await Promise.all(some.map(({ streamId }) => this.#read(streamId)));
      }
    });
    if (this.#all === undefined) {
      this.#all = new Map([...this.#known].map(([id, { state }]) => [id, state]));
      this.#listeners = listenersOf(this.#all);
    }
    return this.#all;
  }

  async #read(id: string): Promise<void> {
    const events = await this.parts.store.read(id);
    const state = stateOf(subscription, events);
    if (state === undefined) return;
    this.#known.set(id, { version: events.length, state });
    this.#all = undefined;
  }
}

function listenersOf(subscriptions: All): Listeners {
  const listeners = new Map<EntityId, Subscription[]>();
  for (const each of subscriptions.values()) {
    if (!collects(each)) continue;
    const others = listeners.get(each.nodeId);
    if (others === undefined) listeners.set(each.nodeId, [each]);
    else others.push(each);
  }
  return listeners;
}
