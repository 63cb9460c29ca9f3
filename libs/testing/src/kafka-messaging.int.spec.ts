import { describe } from '@jest/globals';
import { freshTopics, kafkaMessaging } from './kafka-messaging-fixture.js';
import { messagingContract } from './messaging-contract.js';
import { testKafka } from './test-kafka.js';

describe('the Kafka adapter', () => {
  const kafka = testKafka();
  messagingContract(
    async () =>
      kafkaMessaging({
        ...(await freshTopics(kafka.brokers, kafka.topicPrefix)),
        clientId: 'contract',
        replyPartition: 1,
      }),
    { shortMs: 1_500 },
  );
});
