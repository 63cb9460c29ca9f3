import {
  localName,
  type LocalServiceName,
  type ServiceName,
  serviceNames,
  serviceRow,
} from '@sluice/contracts';

/** In which order services are started: whatever is in a group needs only what stands before it. */
export const START_ORDER: readonly (readonly LocalServiceName[])[] = inGroups(
  serviceNames,
  (name) => serviceRow(name).startsAfter,
).map((group) => group.map((name) => localName(name)));

/** In which order they stop: whoever still needs a service for what has begun ends before it (D-20). */
export const STOP_ORDER: readonly (readonly LocalServiceName[])[] = inGroups(
  serviceNames,
  (name) => serviceRow(name).stopsAfter,
).map((group) => group.map((name) => localName(name)));

/** Each name in the first group that comes after all it needs. Throws where they need each other. */
export function inGroups<Name extends string = ServiceName>(
  names: readonly Name[],
  needs: (name: Name) => readonly Name[],
): readonly (readonly Name[])[] {
  const groups: (readonly Name[])[] = [];
  let left = names;
  while (left.length > 0) {
    const group = left.filter((name) => !needs(name).some((needed) => left.includes(needed)));
    if (group.length === 0) throw new Error(`${left.join(', ')} wait for each other.`);
    groups.push(group);
    left = left.filter((name) => !group.includes(name));
  }
  return groups;
}
