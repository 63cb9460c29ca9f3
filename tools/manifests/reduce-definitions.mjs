// Makes a file of `definitions/` from originals: the definitions that operators publish
// (CustomResourceDefinition, YAML or JSON), or a group of Kubernetes' own OpenAPI v3 (JSON). Only kinds
// that the rendered manifests have are taken, and of each what reduced-schema.ts leaves:
//
//   node tools/manifests/reduce-definitions.mjs --rendered local.yaml --rendered production.yaml \
//     --header 'KEDA 2.21.0 (Apache-2.0), config/crd/bases' ORIGINAL… > tools/manifests/definitions/operators/keda.yaml
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseAllDocuments, stringify } from 'yaml';
import { wordsBehind } from '../words.mjs';

const { isRecord, reducedSchema } = /** @type {typeof import('./src/index.js')} */ (
  await import(new URL('./dist/index.js', import.meta.url).href)
);

/** @typedef {import('./src/json-schema.js').JsonSchema} JsonSchema */

/** @type {{ options: { rendered: string[], header: string }, words: string[] }} */
const { options: values, words: positionals } = await wordsBehind(
  'node tools/manifests/reduce-definitions.mjs',
  (command) =>
    command
      .description('Makes a file of definitions/ from originals.')
      .argument('<originals...>', 'what operators publish, or a group of OpenAPI v3')
      .option(
        '--rendered <file>',
        'a rendered overlay; may come twice',
        (file, all) => [...all, file],
        /** @type {string[]} */ ([]),
      )
      .option('--header <text>', 'where the originals are from', ''),
);

/** @returns {any[]} */
function documents(/** @type {string} */ path) {
  return parseAllDocuments(readFileSync(path, 'utf8')).flatMap((document) => {
    const value = document.toJS();
    return Array.isArray(value) ? value : value === null ? [] : [value];
  });
}

const objects = values.rendered.flatMap(documents);
/** @returns {any[]} */
const usesOf = (/** @type {string} */ apiVersion, /** @type {string} */ kind) =>
  objects.filter((object) => object.apiVersion === apiVersion && object.kind === kind);

/** A definition with one version and nothing but the schema. @returns {object[]} */
function reducedDefinition(/** @type {any} */ { metadata, spec }) {
  return spec.versions.flatMap((/** @type {any} */ version) => {
    const uses = usesOf(`${spec.group}/${version.name}`, spec.names.kind);
    if (uses.length === 0) return [];
    const schema = version.schema.openAPIV3Schema;
    const { apiVersion, kind, metadata: own, status: _status, ...parts } = schema.properties;
    const openAPIV3Schema = reducedSchema({ ...schema, properties: parts }, uses);
    const any = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    return [
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: metadata.name },
        spec: {
          group: spec.group,
          names: spec.names,
          scope: spec.scope,
          versions: [
            {
              name: version.name,
              served: true,
              storage: true,
              subresources: { status: {} },
              schema: {
                openAPIV3Schema: {
                  ...openAPIV3Schema,
                  properties: {
                    apiVersion: { type: 'string' },
                    kind: { type: 'string' },
                    metadata: { type: 'object' },
                    ...openAPIV3Schema.properties,
                    status: any,
                  },
                },
              },
            },
          ],
        },
      },
    ];
  });
}

/** Kubernetes' own kinds, one entry each. @returns {object[]} */
function reducedKinds(/** @type {any} */ { components }) {
  /** @type {Record<string, JsonSchema>} */
  const schemas = components.schemas;
  const resolve = (/** @type {string} */ reference) => {
    const found = schemas[reference.split('/').at(-1) ?? ''];
    if (found === undefined) throw new Error(`There is no ${reference}.`);
    return found;
  };
  return Object.values(schemas).flatMap((schema) => {
    const kinds = schema['x-kubernetes-group-version-kind'];
    if (!Array.isArray(kinds) || kinds.length !== 1 || !isRecord(kinds[0])) return [];
    const { group, version, kind } = /** @type {Record<string, string>} */ (kinds[0]);
    const apiVersion = group === '' ? `${version}` : `${group}/${version}`;
    const uses = usesOf(apiVersion, `${kind}`);
    if (uses.length === 0) return [];
    const { status: _status, ...parts } = schema.properties ?? {};
    return [
      { apiVersion, kind, schema: reducedSchema({ ...schema, properties: parts }, uses, resolve) },
    ];
  });
}

const reduced = positionals
  .flatMap(documents)
  .flatMap((original) =>
    'openapi' in original ? reducedKinds(original) : reducedDefinition(original),
  );
const head = [
  values.header,
  'Reduced by reduce-definitions.mjs; parts that no manifest uses are not checked.',
];
process.stdout.write(head.map((line) => `# ${line}\n`).join(''));
const options = /** @type {const} */ ({
  singleQuote: true,
  lineWidth: 0,
  aliasDuplicateObjects: false,
});
process.stdout.write(reduced.map((one) => stringify(one, options)).join('---\n'));
