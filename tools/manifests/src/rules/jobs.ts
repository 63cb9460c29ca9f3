import { isDeepStrictEqual } from 'node:util';
import { isRecord, nameOf } from '../json-schema.js';
import { type Manifests, ofKind, type Workload, workloadsOf } from '../manifests.js';
import { configMapsOf, secretsOf } from './references.js';

/** The ConfigMap that says what the release is called; see the component release-names. */
const RELEASE = 'release';
/** What kustomize puts behind the name of what it makes of files: letters that make no words. */
export const HASH_SUFFIX = /-[2456789bcdfghkmt]{10}$/;

function jobsOf(manifests: Manifests): readonly Workload[] {
  return workloadsOf(manifests).filter(({ kind }) => kind === 'Job');
}

/** D-56: a Job cannot be changed, so that its name ends in the release's. */
export function jobsAreNamedByRelease(manifests: Manifests): readonly string[] {
  const map = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === RELEASE);
  const data = map?.['data'];
  const name = isRecord(data) ? data['name'] : undefined;
  const release = typeof name === 'string' ? name : '';
  const jobs = jobsOf(manifests);
  const wrong = jobs.filter(
    ({ metadata }) => release === '' || !metadata.name.endsWith(`-${release}`),
  );
  const tables = jobs.some(({ metadata }) => metadata.name.startsWith('migrations-'));
  return [
    ...wrong.map((job) => `${nameOf(job)}: does not end in the release's name`),
    ...(tables ? [] : ['no job makes tables']),
  ];
}

/** A name with a digest is another one after a renewal, and an apply would change the Job. */
export function jobsNameWhatStays(manifests: Manifests): readonly string[] {
  return jobsOf(manifests).flatMap((job) =>
    [...secretsOf(job), ...configMapsOf(job)]
      .filter((name) => HASH_SUFFIX.test(name))
      .map((name) => `${nameOf(job)}: ${name} changes its name with its content`),
  );
}

/** The same release rendered twice: jobs of the first that the second would change. */
export function changedJobs(before: Manifests, after: Manifests): readonly string[] {
  return jobsOf(before)
    .filter((job) => {
      const same = jobsOf(after).find(({ metadata }) => metadata.name === job.metadata.name);
      return !isDeepStrictEqual(job, same);
    })
    .map((job) => `${nameOf(job)}: is another one after a renewal, and a Job cannot be changed`);
}
