import type { EventStore } from '@sluice/event-store';
import type { Clock } from '@sluice/service';
import type {
  AuthenticationStream,
  AuthenticationStreams,
  AuthenticationWriter,
} from './authentication-aggregate.js';
import type { DirectoryRequests } from './directory-requests.js';

/** The parts it is made of. */
export interface OverdueAuthenticationsParts {
  readonly store: Pick<EventStore, 'schedule'>;
  readonly streams: AuthenticationStreams;
  readonly writer: AuthenticationWriter;
  readonly requests: Pick<DirectoryRequests, 'send'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Ends authentications that nobody goes on with: a browser that never came, a challenge whose time is over. What
 * was asked by a process that has ended is asked once more first.
 */
export class OverdueAuthentications {
  constructor(private readonly parts: OverdueAuthenticationsParts) {}

  async end(stream: AuthenticationStream): Promise<void> {
    const { streams, writer, requests, store, clock } = this.parts;
    await streams.inTurn(stream, () => writer.reload(stream));
    if (stream.state?.phase === 'requested') await requests.send(stream);
    await streams.inTurn(stream, async () => {
      await writer.reload(stream);
      await writer.record(stream, { type: 'EndAuthentication', nowMs: clock.now() });
      // Only if nothing was appended meanwhile: an append sets its own date.
      await store.schedule(stream.id, writer.dueInMs(stream.state), stream.version);
    });
  }
}
