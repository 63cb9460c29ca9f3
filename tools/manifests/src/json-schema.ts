/** The part of JSON Schema that Kubernetes uses, with its own words. */
export interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly $ref?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly [keyword: string]: unknown;
}

/** Any object of a cluster, as far as this project reads it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** `Deployment payments`, for messages. */
export function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.name}`;
}

/** A field further in; undefined where there is no such way. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((part, key) => (isRecord(part) ? part[key] : undefined), value);
}

/** A value as a sentence says it. */
export function said(value: unknown, absent = 'nothing'): string {
  if (value === undefined) return absent;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What a list holds; nothing of what is no list. */
export function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** The objects with fields in a list. */
export function records(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return listed(value).filter(isRecord);
}

/** What an object is to be; empty where it says nothing. */
export function specOf({ spec }: KubernetesObject): Readonly<Record<string, unknown>> {
  return isRecord(spec) ? spec : {};
}

/** Whether it is an object with fields, and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
