import type { Kind } from '@sluice/parameters';
import type { SentParameter } from './valid-requests.js';

/** What must or must not come together, broken or kept in one way. */
export interface Combination {
  readonly rule: string;
  readonly kind: Kind;
  readonly more: readonly SentParameter[];
  /** Left out of the valid request before the others are added. */
  readonly drop?: readonly string[];
  /** In place of the valid request's. */
  readonly path?: string;
  readonly refused: readonly string[];
}
