declare const entityIdBrand: unique symbol;

/** A channel or merchant in the payment sense: 32 lowercase hex digits (Interface 5). */
export type EntityId = string & { readonly [entityIdBrand]: true };

const ENTITY_ID = /^[0-9a-f]{32}$/;

/** Whether the text has the shape of an entity id. */
export function isEntityId(text: string): text is EntityId {
  return ENTITY_ID.test(text);
}
