import { createLogger, InternalServer } from '@sluice/service';
import { HttpQueries, InProcessBus, QueryServer, ServiceTransport } from '@sluice/messaging';
import { describe } from '@jest/globals';
import { messagingContract, type MessagingUnderTest } from './messaging-contract.js';

const logger = createLogger({ service: 'ledger', level: 'silent' });
/** The queries of the contract suite; whose callers are checked elsewhere. */
const callers = { 'ledger.book': [], 'ledger.echo': [], 'ledger.broken': [] };

describe('queries over HTTP beside the in-process adapter', () => {
  messagingContract(() => Promise.resolve(httpMessaging()));
});

/** Commands and events as in the sandbox, queries as in the cluster: how a service composes them. */
function httpMessaging(): MessagingUnderTest {
  const bus = new InProcessBus();
  const transports: ServiceTransport[] = [];
  let queries: HttpQueries | undefined;
  return {
    commands: bus.commands,
    events: bus.events,
    queries: {
      ask: (service, query, parameters) => {
        const url = transports[0]?.url;
        queries ??= new HttpQueries({ urls: url === undefined ? {} : { ledger: [url] } });
        const asked = queries;
        if (url === undefined) queries = undefined;
        return asked.ask(service, query, parameters);
      },
    },
    transport: (service) => {
      const transport = new ServiceTransport({
        commands: bus.transport(service),
        queries: new QueryServer(
          new InternalServer({ logger }),
          { host: '127.0.0.1', port: 0 },
          callers,
        ),
      });
      transports.push(transport);
      return transport;
    },
    close: async () => {
      await queries?.close();
      await Promise.all([bus.close(), ...transports.map((transport) => transport.close())]);
    },
  };
}
