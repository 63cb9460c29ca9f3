import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Definitions } from './definitions.js';
import { isRecord, type KubernetesObject } from './json-schema.js';
import { objectsIn } from './rendered-overlay.js';

const MANIFESTS = fileURLToPath(new URL('../../../k8s', import.meta.url));

/** Whole objects as they are written; patches are only parts of some. */
function writtenObjects(): readonly KubernetesObject[] {
  const folders = ['overlays/production', 'components/keda', 'components/network-policies', 'base'];
  return folders.flatMap((folder) =>
    readdirSync(join(MANIFESTS, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml') && !/kustomization|replicas|public/.test(file))
      .flatMap((file) => objectsIn(readFileSync(join(MANIFESTS, folder, file), 'utf8')))
      .filter(({ kind }) => typeof kind === 'string'),
  );
}

/** The same with one more letter in the name of a field of its spec, or of the object itself. */
function misspelt(object: KubernetesObject): KubernetesObject {
  const { spec } = object;
  const [field] = isRecord(spec) ? Object.keys(spec).slice(-1) : [];
  if (field === undefined || !isRecord(spec)) return { ...object, metadataa: {} };
  return { ...object, spec: { ...spec, [`${field}x`]: spec[field] } };
}

describe('the definitions', () => {
  const definitions = new Definitions();
  const written = writtenObjects();
  const firsts = [...new Map(written.map((object) => [object.kind, object])).values()];

  it('know every kind that production has', () => {
    expect(firsts.length).toBeGreaterThan(20);
    const unknown = written.filter(
      ({ apiVersion, kind }) => !definitions.kinds.includes(`${apiVersion} ${kind}`),
    );
    expect(unknown).toEqual([]);
  });

  it('accept what is written', () => {
    expect(written.flatMap((object) => definitions.problemsOf(object))).toEqual([]);
  });

  it.each(firsts.map((object) => [object.kind, object] as const))(
    'refuse a misspelt field of %s',
    (_kind, object) => {
      const problems = definitions.problemsOf(misspelt(object)).join('\n');
      expect(problems).toContain('must NOT have additional properties');
    },
  );

  it('refuse a value of another type, and one that is missing', () => {
    const topic = written.find(({ kind }) => kind === 'KafkaTopic')!;
    const { spec } = topic as unknown as { spec: object };
    const wrong = { ...topic, spec: { ...spec, partitions: 'many' } };
    expect(definitions.problemsOf(wrong)).toEqual([
      expect.stringContaining('/spec/partitions must be integer'),
    ]);
    const certificate = written.find(({ kind }) => kind === 'Certificate')!;
    expect(definitions.problemsOf({ ...certificate, spec: {} }).join('\n')).toContain(
      "must have required property 'secretName'",
    );
  });

  it('refuse what they do not know', () => {
    const unknown = { apiVersion: 'v2', kind: 'Pod', metadata: { name: 'x' } };
    expect(definitions.problemsOf(unknown)).toEqual([expect.stringContaining('Pod x')]);
  });
});
