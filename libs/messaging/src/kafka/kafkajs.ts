import { createRequire } from 'node:module';
import type kafkajs from 'kafkajs';

const load = createRequire(import.meta.url);

/**
 * kafkajs, which is loaded by the first who needs it: these are 140 files, and most who import this
 * library (a sandbox, a command that only reads the database) never speak to Kafka.
 */
export function loadedKafkajs(): typeof kafkajs {
  return load('kafkajs') as typeof kafkajs;
}
