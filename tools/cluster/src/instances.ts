/** The services that may run more than once; the others hold what one process alone may write. */
const SCALABLE = ['edge', 'payments', 'relay', 'vault', 'reporting'] as const;

/** One of them. */
export type Scalable = (typeof SCALABLE)[number];

/** How many processes of each are started. */
export type Instances = Readonly<Record<Scalable, number>>;

/** Two cores cannot use more, and `max_connections` (D-11) would have to grow. */
const INSTANCES_MAX = 8;
const ENTRY = /^([a-z]{1,20})=([0-9]{1,3})$/;

/** Reads `payments=3,vault=2`; what is not named is there once. Throws an Error for a sentence. */
export function parseInstances(text: string): Instances {
  const instances = { edge: 1, payments: 1, relay: 1, vault: 1, reporting: 1 };
  for (const entry of text === '' ? [] : text.split(',')) {
    const [, name = '', digits = ''] = ENTRY.exec(entry) ?? [];
    const service = SCALABLE.find((scalable) => scalable === name);
    const count = Number(digits);
    if (service === undefined || count < 1 || count > INSTANCES_MAX) {
      throw new Error(
        `must be like payments=3,vault=2, with ${SCALABLE.join(', ')} and 1 to ${INSTANCES_MAX}`,
      );
    }
    instances[service] = count;
  }
  return instances;
}
