import { isRecord, nameOf } from '../json-schema.js';
import { type Manifests, workloadsOf } from '../manifests.js';

/** As Kubernetes' validation has them. */
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/;
const OBJECT_NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
const LABEL_CHARACTERS_MAX = 63;

/** Kinds whose pods carry their name in a label, or whose hosts are called so. */
const SHORT_NAMES = ['Job', 'StatefulSet', 'Service'];

/** What is written into names and labels from outside, the release's name above all, fits there. */
export function namesFit(manifests: Manifests): readonly string[] {
  const ofNames = manifests.objects
    .filter(({ kind, metadata: { name } }) => {
      const isLong = SHORT_NAMES.includes(kind) && name.length > LABEL_CHARACTERS_MAX;
      return isLong || !OBJECT_NAME.test(name);
    })
    .map((one) => `${nameOf(one)}: is no name that Kubernetes takes`);
  const ofLabels = [
    ...manifests.objects.map((one) => [one, one.metadata.labels] as const),
    ...workloadsOf(manifests).map((one) => [one, one.spec.template.metadata.labels] as const),
  ].flatMap(([one, labels = {}]) =>
    (isRecord(labels) ? Object.entries(labels) : [])
      .filter(([, value]) => !isLabel(value))
      .map(([label, value]) => `${nameOf(one)}: ${label} cannot be ${JSON.stringify(value)}`),
  );
  return [...ofNames, ...new Set(ofLabels)];
}

function isLabel(value: unknown): boolean {
  const fits = typeof value === 'string' && value.length <= LABEL_CHARACTERS_MAX;
  return fits && LABEL_VALUE.test(value);
}
