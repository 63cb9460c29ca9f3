/** A piece of an OpenAPI document: JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;
