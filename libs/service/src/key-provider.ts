/** A key of a caller, encrypted. */
export interface WrappedKey {
  /** The wrapping key's version, also inside `wrapped`: for finding what must be wrapped anew. */
  readonly version: string;
  /** Says by itself which version opens it; at most about 100 bytes longer than the key. */
  readonly wrapped: Buffer;
}

/**
 * Keeps the wrapping keys (key-encryption keys) and lends their use, never the keys themselves, so
 * that a key file and, later, a key management service are used alike (S-KEY-01).
 */
export interface KeyProvider {
  /** The version that wraps; older ones only unwrap. */
  currentVersion(): string;
  /** Whether that version can still unwrap. */
  hasVersion(version: string): boolean;
  /** Encrypts a key, bound to a context, e.g. the row it belongs to. */
  wrap(key: Buffer, context: string): Promise<WrappedKey>;
  /**
   * The key again; the caller overwrites it after use. Throws WrappingKeyRetired when the version
   * is gone, and WrappedKeyBroken when the bytes were altered or belong to another context.
   */
  unwrap(wrapped: Buffer, context: string): Promise<Buffer>;
}

/**
 * The version that wrapped this key no longer exists: what the key protects cannot be read again.
 */
export class WrappingKeyRetired extends Error {
  override readonly name = 'WrappingKeyRetired';

  constructor(readonly version: string) {
    super(`The wrapping key version ${version} is not in the key ring.`);
  }
}

/** The bytes were altered, or were wrapped for another context. */
export class WrappedKeyBroken extends Error {
  override readonly name = 'WrappedKeyBroken';

  constructor() {
    super('A wrapped key was altered or belongs elsewhere.');
  }
}
