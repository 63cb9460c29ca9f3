import { closed, type DomainEvent, eventCodec, eventTable, integer, text } from '@sluice/contracts';
import { type AppendMember, type AppendResult, StoreUnavailable } from '@sluice/event-store';
import type { Aggregate } from './aggregate.js';
import type { StreamStore } from './stream-writer.js';

/** The smallest aggregate that has everything: a meter that is read, once under each number. */
export const meterEvents = eventTable({
  MeterRead: { version: 1, description: 'Somebody looked.', data: closed({ reading: integer }) },
  ReadingMissed: { version: 1, description: 'Nobody came.', data: closed({ reason: text }) },
});

/** What happens to a meter. */
export type MeterEvent = DomainEvent<typeof meterEvents, { readonly actor: string }>;

/** A reading; the same one twice is nothing new. */
export interface ReadMeter {
  readonly type: 'ReadMeter';
  readonly reading: number;
}

/** How long after a reading the next one is due. */
export const READ_AGAIN_MS = 60_000;

const metadata = { actor: 'spec' };

/** Counts readings, and is due again a minute after each. */
export const meter: Aggregate<ReadMeter, readonly number[], MeterEvent> = {
  decider: {
    initialState: [],
    decide: ({ reading }, state) =>
      state.includes(reading) ? [] : [{ type: 'MeterRead', data: { reading }, metadata }],
    evolve: (state, event) => (event.type === 'MeterRead' ? [...state, event.data.reading] : state),
  },
  codec: eventCodec<typeof meterEvents, { readonly actor: string }>(meterEvents),
  dueAtMs: (state, nowMs) => (state.length === 0 ? null : nowMs + READ_AGAIN_MS),
  expired: () => [{ type: 'ReadingMissed', data: { reason: 'expired' }, metadata }],
};

/** What becomes of an append; `answerLost`: it was recorded, and then the connection broke. */
type Answer = AppendResult['kind'] | 'unavailable' | 'answerLost';

/**
 * A store that answers appends from a list, and then as a real one does: by the version that was
 * expected. What it appended can be read again.
 */
export function storeWith(answers: Answer[]): {
  readonly store: StreamStore;
  readonly members: readonly AppendMember[];
} {
  const members: AppendMember[] = [];
  const recorded: AppendMember[] = [];
  const versionOf = (id: string) => recorded.filter(({ streamId }) => streamId === id).length;
  const store = {
    append: async (member: AppendMember) => {
      members.push(member);
      const isNext = member.expectedVersion === versionOf(member.streamId);
      const answer = answers.shift() ?? (isNext ? 'appended' : 'versionConflict');
      if (answer === 'unavailable') throw new StoreUnavailable('unknown');
      if (answer !== 'appended' && answer !== 'answerLost') return { kind: answer };
      recorded.push(member);
      if (answer === 'answerLost') throw new StoreUnavailable('unknown');
      return { kind: 'appended', version: member.expectedVersion + member.events.length };
    },
    read: async (id: string) =>
      recorded
        .filter(({ streamId }) => streamId === id)
        .flatMap((member) =>
          member.events.map((event, index) => ({
            ...event,
            data: JSON.parse(event.data) as unknown,
            metadata: JSON.parse(event.metadata) as unknown,
            streamId: member.streamId,
            version: member.expectedVersion + index + 1,
            commandId: member.commandId,
            recordedAtMs: 0,
          })),
        ),
  };
  return { store: store as unknown as StreamStore, members };
}
