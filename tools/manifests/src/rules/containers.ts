import { isRecord, nameOf } from '../json-schema.js';
import {
  type Container,
  containersOf,
  type Manifests,
  type Workload,
  workloadsOf,
} from '../manifests.js';

/** What is wrong with any container of any workload, with the names of both. */
export function eachContainer(
  manifests: Manifests,
  check: (container: Container, workload: Workload) => readonly string[],
): readonly string[] {
  return workloadsOf(manifests).flatMap((workload) =>
    containersOf(workload).flatMap((container) =>
      check(container, workload).map((text) => `${nameOf(workload)}, ${container.name}: ${text}`),
    ),
  );
}

/** S-K8S-01: nothing takes more than it was given, and the scheduler knows what it needs. */
export function limitsAreSet(manifests: Manifests): readonly string[] {
  return eachContainer(manifests, ({ resources }) => limitsMissing(resources));
}

/** Which requests and limits some resources lack. */
export function limitsMissing(resources: unknown): readonly string[] {
  return ['requests', 'limits'].flatMap((kind) => {
    const given = isRecord(resources) ? resources[kind] : undefined;
    return ['cpu', 'memory']
      .filter((resource) => !isRecord(given) || given[resource] === undefined)
      .map((resource) => `no ${kind} of ${resource}`);
  });
}

/** In front of the name there may be a registry, with a port or without. */
const TAG = /^(?:[^/:@]+:[0-9]{1,5}\/)?[^:@]+:([a-z0-9][a-z0-9._-]*)(?:@sha256:[0-9a-f]{64})?$/;
const DIGEST = /^[^@]+@sha256:[0-9a-f]{64}$/;

/** An image is named by what is in it, so that nothing else runs after a restart (D-56). */
export function imagesAreFixed(manifests: Manifests): readonly string[] {
  return eachContainer(manifests, ({ image, imagePullPolicy }) => {
    const tag = TAG.exec(image)?.[1];
    const isFixed = (tag !== undefined && tag !== 'latest') || DIGEST.test(image);
    return [
      ...(isFixed ? [] : [`its image ${image} has no fixed tag or digest`]),
      ...(imagePullPolicy === 'IfNotPresent' ? [] : ['its image is not taken as it is there']),
    ];
  });
}
