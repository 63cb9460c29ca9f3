import { usage } from './exit-codes.js';

/** A topic, or some of its partitions. */
export interface TopicScope {
  readonly topic: string;
  /** All of them when absent. */
  readonly partitions?: ReadonlySet<number>;
}

const TOPIC = /^[A-Za-z0-9._-]{1,249}$/;
const PARTITION = /^[0-9]{1,6}$/;

/** Reads `T` or `T:p1,p2`, as `--topic` takes it. */
export function parseTopicScope(text: string): TopicScope {
  const [topic = '', list, ...rest] = text.split(':');
  if (!TOPIC.test(topic) || rest.length > 0) {
    throw usage(`"${text}" is no topic; write it like payments.payment.v1 or with :0,3 behind it.`);
  }
  if (list === undefined) return { topic };
  const partitions = list.split(',');
  if (!partitions.every((partition) => PARTITION.test(partition))) {
    throw usage(`"${text}": partitions are numbers with commas between them.`);
  }
  return { topic, partitions: new Set(partitions.map(Number)) };
}

/** Whether a partition is meant. */
export function isInScope(
  scopes: readonly TopicScope[] | 'all',
  topic: string,
  partition: number,
): boolean {
  if (scopes === 'all') return true;
  return scopes.some(
    (scope) => scope.topic === topic && (scope.partitions?.has(partition) ?? true),
  );
}
