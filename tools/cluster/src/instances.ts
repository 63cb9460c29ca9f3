import {
  localName,
  type LocalServiceName,
  type ScalableService,
  scalableServices,
} from '@sluice/contracts';

/** A service that may run more than once; the others hold what one process alone may write. */
export type Scalable = LocalServiceName<ScalableService>;

/** All of them. */
export const scalable: readonly Scalable[] = scalableServices.map((service) => localName(service));

/** How many processes of each are started. */
export type Instances = Readonly<Record<Scalable, number>>;

/** Two cores cannot use more, and `max_connections` (D-11) would have to grow. */
const INSTANCES_MAX = 8;
const ENTRY = /^([a-z-]{1,40})=([0-9]{1,3})$/;

/** Reads `payments=3,vault=2`; what is not named is there once. Throws an Error for a sentence. */
export function parseInstances(text: string): Instances {
  const instances = Object.fromEntries(scalable.map((name) => [name, 1])) as Record<
    Scalable,
    number
  >;
  for (const entry of text === '' ? [] : text.split(',')) {
    const [, name = '', digits = ''] = ENTRY.exec(entry) ?? [];
    const service = scalable.find((one) => one === name);
    const count = Number(digits);
    if (service === undefined || count < 1 || count > INSTANCES_MAX) {
      throw new Error(
        `must be like payments=3,vault=2, with ${scalable.join(', ')} and 1 to ${INSTANCES_MAX}`,
      );
    }
    instances[service] = count;
  }
  return instances;
}
