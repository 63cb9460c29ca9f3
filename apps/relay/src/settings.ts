import { type EventPublisher, eventPublishers } from '@sluice/contracts';
import { type DatabaseSettings, tablesSettings, Variable } from '@sluice/service';
import { IsIn } from 'class-validator';
import type process from 'node:process';

const RELAYED_SERVICE = 'RELAYED_SERVICE';

/** Whose relay a process is: the program is the same for all. */
export class RelayedService {
  @Variable(RELAYED_SERVICE, { meaning: `whose events it brings: ${eventPublishers.join(', ')}` })
  @IsIn(eventPublishers)
  readonly service!: EventPublisher;
}

/** The same as a value, before any settings are read; undefined where it names no publisher. */
export function relayedService(environment: typeof process.env): EventPublisher | undefined {
  return eventPublishers.find((service) => service === environment[RELAYED_SERVICE]);
}

/** Where its outbox is: the same variables as the service itself has. */
export function tablesOf(
  service: EventPublisher,
): new () => Pick<DatabaseSettings, 'databaseUrl' | 'schema'> {
  return tablesSettings(service, `the database of ${service}`);
}
