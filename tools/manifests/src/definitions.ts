import { Ajv, type ValidateFunction } from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { isRecord, type JsonSchema, type KubernetesObject, nameOf } from './json-schema.js';

/** Kubernetes' own kinds in the folder of definitions. */
interface KindDefinition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: JsonSchema;
}

const FOLDER = new URL('../definitions/', import.meta.url);

/** What there may be: one schema for each kind, strict about unknown fields. */
export class Definitions {
  readonly #ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  readonly #schemas = new Map<string, ValidateFunction>();

  /** Reads every file of a folder; the project's own unless told. */
  constructor(folder = fileURLToPath(FOLDER)) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.yaml'))) {
      const text = readFileSync(join(folder, file), 'utf8');
      for (const document of parseAllDocuments(text)) {
        for (const { apiVersion, kind, schema } of definitionsIn(document.toJS() as unknown)) {
          this.#schemas.set(`${apiVersion} ${kind}`, this.#ajv.compile(strict(schema)));
        }
      }
    }
  }

  /** Which there are, as `apps/v1 Deployment`. */
  get kinds(): readonly string[] {
    return [...this.#schemas.keys()];
  }

  /** What is wrong with the shape of an object. */
  problemsOf(object: KubernetesObject): readonly string[] {
    const validate = this.#schemas.get(`${object.apiVersion} ${object.kind}`);
    if (validate === undefined) {
      return [`${nameOf(object)}: tools/manifests/definitions has no ${object.apiVersion} of it`];
    }
    if (validate(object)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '', params }) => {
      const { additionalProperty } = params as { additionalProperty?: string };
      const field = additionalProperty === undefined ? '' : ` (${additionalProperty})`;
      return `${nameOf(object)}: ${instancePath} ${message}${field}`;
    });
  }
}

function definitionsIn(document: unknown): readonly KindDefinition[] {
  if (!isRecord(document)) return [];
  if (document['kind'] !== 'CustomResourceDefinition')
    return [document as unknown as KindDefinition];
  const { group, names, versions } = document['spec'] as {
    group: string;
    names: { kind: string };
    versions: readonly { name: string; schema: { openAPIV3Schema: JsonSchema } }[];
  };
  return versions.map(({ name, schema }) => ({
    apiVersion: `${group}/${name}`,
    kind: names.kind,
    schema: withAnyMetadata(schema.openAPIV3Schema),
  }));
}

/** The server knows what `metadata` has; a definition says only that it is there. */
function withAnyMetadata(schema: JsonSchema): JsonSchema {
  const metadata = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return { ...schema, properties: { ...schema.properties, metadata } };
}

const NUMBER_OR_TEXT = { anyOf: [{ type: 'integer' }, { type: 'string' }] };

/** As strict as the server with `--validate=strict`: a field that no schema names is refused. */
function strict(schema: JsonSchema): JsonSchema {
  if (schema['x-kubernetes-int-or-string'] === true) return NUMBER_OR_TEXT;
  // Patterns are in the language of Go; the server checks them.
  const { properties, items, additionalProperties, pattern: _pattern, ...rest } = schema;
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties !== undefined;
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, part]) => [name, strict(part)]),
          ),
        }),
    ...(properties === undefined || isOpen ? {} : { additionalProperties: false }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: strict(additionalProperties) }
      : {}),
    ...(items === undefined ? {} : { items: strict(items) }),
  };
}
