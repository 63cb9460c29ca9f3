import {
  declareCommands,
  declareEvents,
  declareReplies,
  type TopicDeclaration,
} from '@sluice/contracts';
import {
  applyTopics,
  createKafka,
  InProcessBus,
  KafkaBus,
  type KafkaBusOptions,
  queryPattern,
} from '@sluice/messaging';
import type { MessagingUnderTest, TransportUnderTest } from './messaging-contract.js';

/** The topics of the contract suite's services, with few partitions. */
const contractTopics: readonly TopicDeclaration[] = [
  ...declareCommands('ledger.commands.v1', 4),
  ...declareEvents('ledger.book.v1', 4),
  declareReplies(3),
];

/** What a bus needs to find the topics of one test. */
export type TopicsOfTest = Pick<KafkaBusOptions, 'brokers' | 'topicPrefix' | 'topics'>;

let made = 0;

/** Topics of its own for one test; the names differ for each call. */
export async function freshTopics(
  brokers: readonly string[],
  topicPrefix: string,
  declarations = contractTopics,
): Promise<TopicsOfTest> {
  const prefix = `${topicPrefix}${String((made += 1))}.`;
  const admin = createKafka({ brokers, clientId: 'test' }).admin();
  await admin.connect();
  await applyTopics(admin, { prefix, declarations });
  await admin.disconnect();
  return { brokers, topicPrefix: prefix, topics: declarations };
}

/** One process on Kafka; its queries stay in process, because they never go over Kafka. */
export function kafkaMessaging(options: KafkaBusOptions): MessagingUnderTest & {
  readonly bus: KafkaBus;
} {
  const bus = new KafkaBus(options);
  const queries = new InProcessBus();
  void bus.start();
  return {
    bus,
    commands: bus.commands,
    events: bus.events,
    queries: queries.queries,
    transport: (service) => both(bus.transport(service), queries.transport(service)),
    close: async () => {
      await Promise.all([bus.close(), queries.close()]);
    },
  };
}

function both(kafka: TransportUnderTest, queries: TransportUnderTest): TransportUnderTest {
  return {
    addHandler: (pattern, handler) => {
      const side = pattern.startsWith(queryPattern('')) ? queries : kafka;
      side.addHandler(pattern, handler);
    },
    listen: (ready) => {
      kafka.listen(() => undefined);
      return queries.listen(ready);
    },
    close: () => Promise.all([kafka.close(), queries.close()]),
  };
}
