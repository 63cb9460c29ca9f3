import { randomBytes } from 'node:crypto';

const UUID_VERSION_7 = 0x70;
const UUID_VARIANT = 0x80;

/**
 * A time-ordered UUID (version 7) for messages, commands and events, so that unique indexes grow
 * at their right edge.
 */
export function newMessageId(nowMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = UUID_VERSION_7 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = UUID_VARIANT | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
