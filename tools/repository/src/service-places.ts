import type { ServiceRow } from '@sluice/contracts';

/** A place that a service has in a file which is written by hand. */
export interface ServicePlace {
  readonly file: string;
  /** What the file must have, as a word of its own; absent: the file itself must be there. */
  readonly entry?: string;
}

/** Everything that the row of a service asks for and that is neither derived nor generated. */
export function placesOf(name: string, row: ServiceRow): readonly ServicePlace[] {
  return [...codePlaces(name, row), ...manifestPlaces(name, row)];
}

/** Its app, and the list of all apps. */
function codePlaces(
  name: string,
  { folder, program, relays }: ServiceRow,
): readonly ServicePlace[] {
  return [
    { file: `apps/${folder}/package.json`, entry: `"scope:${folder}"` },
    // The program of relays is told its name.
    {
      file: `apps/${folder}/src/${program}.ts`,
      ...(relays === undefined && { entry: `name: '${name}'` }),
    },
    { file: 'apps/all/src/apps.ts', entry: `import('@sluice/${folder}')` },
  ];
}

/** What of the manifests is written by hand: how it scales, and whom it meets outside. */
function manifestPlaces(
  name: string,
  { autoscaled, hasPriority, outwardNetwork }: ServiceRow,
): readonly ServicePlace[] {
  const outward = {
    merchants: 'overlays/production/ingress.yaml',
    readers: 'overlays/production/ingress.yaml',
    acquirers: 'overlays/production/acquirers.yaml',
    receivers: 'components/network-policies/receivers.yaml',
  };
  return [
    ...(autoscaled === 'everywhere' ? [{ file: `k8s/base/${name}/autoscaler.yaml` }] : []),
    ...(hasPriority === true ? [{ file: `k8s/base/${name}/priority-class.yaml` }] : []),
    ...(outwardNetwork === undefined
      ? []
      : [
          {
            file: `k8s/${outward[outwardNetwork]}`,
            entry: `name: ${name}`,
          },
        ]),
  ];
}
