import { evolved } from '@sluice/aggregates';
import {
  type PaymentEvent,
  paymentDecider,
  paymentEventCodec,
  type PaymentState,
} from '@sluice/domain-payments';
import type { MarkHistory, RecordedEvent } from '@sluice/event-store';
import { nameOf, paymentMarks } from './payment-marks.js';

/**
 * What the appends of one payment have done to marks, by the rules of the appends themselves: so a
 * table that is filled by it is the one that they have left (page 0062). @throws NewerWriter
 */
export function markHistory(events: readonly RecordedEvent[]): MarkHistory {
  const left = new Map<string, MarkHistory['left'][number]>();
  const cleared = new Map<string, number>();
  let state: PaymentState = paymentDecider.initialState;
  for (const { decoded, atVersion } of appendsOf(events)) {
    const before = state;
    state = evolved(paymentDecider, before, decoded);
    const changes = paymentMarks(before, state);
    for (const mark of changes?.left ?? []) left.set(nameOf(mark), { ...mark, atVersion });
    for (const mark of changes?.withdrawn ?? []) left.delete(nameOf(mark));
    for (const subject of changes?.cleared ?? []) cleared.set(subject, atVersion);
  }
  return { left: [...left.values()], cleared };
}

interface RecordedAppend {
  readonly decoded: readonly PaymentEvent[];
  readonly atVersion: number;
}

/** The events of one command were appended at once. */
function appendsOf(events: readonly RecordedEvent[]): readonly RecordedAppend[] {
  const appends: { decoded: PaymentEvent[]; atVersion: number; commandId: string }[] = [];
  for (const event of events) {
    const { commandId, version: atVersion } = event;
    const decoded = paymentEventCodec.decode(event);
    const last = appends.at(-1);
    if (last?.commandId !== commandId) appends.push({ decoded: [decoded], atVersion, commandId });
    else Object.assign(last, { decoded: [...last.decoded, decoded], atVersion });
  }
  return appends;
}
