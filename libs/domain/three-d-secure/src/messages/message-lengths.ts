import type { MessageType } from './message-kinds.js';

/** Extensions, all together: as long as EMV lets them be. */
const EXTENSIONS = 81_920;

/**
 * How long messages are at most that we receive, in characters: the longest values of their tables together, with
 * some room. What is longer is read by nobody.
 */
export const messageCharactersMax = {
  /** With signed content for an app (16,000), credentials (32,000), cryptogram (4,000) and news (4,096). */
  ARes: EXTENSIONS + 78_080,
  /** The last one of a challenge has no screen. */
  CRes: EXTENSIONS + 18_080,
  /** With a cryptogram (4,000) and what was wrong in the challenge (4,200). */
  RReq: EXTENSIONS + 18_080,
  /** The most card ranges that a directory server may have, at about 300 characters each. */
  PRes: 67_108_864,
} as const satisfies Partial<Record<MessageType, number>>;
