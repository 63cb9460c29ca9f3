/** How many bytes before each message say how long it is, the most significant first. */
export type LengthBytes = 2 | 4;

/** No message of the standard is half as long; whatever claims to be longer is none. */
export const FRAME_BYTES_MAX = 8_192;

/** The message with its length before it. */
export function framed(message: Buffer, lengthBytes: LengthBytes): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(message.length, 0, lengthBytes);
  return Buffer.concat([length, message]);
}

/** Cuts what arrives into messages. */
export class FrameReader {
  #bytes: Buffer = Buffer.alloc(0);

  constructor(private readonly lengthBytes: LengthBytes) {}

  /** The messages that are whole now; undefined once something can be none. */
  take(chunk: Buffer): readonly Buffer[] | undefined {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const messages: Buffer[] = [];
    while (this.#bytes.length >= this.lengthBytes) {
      const length = this.#bytes.readUIntBE(0, this.lengthBytes);
      if (length > FRAME_BYTES_MAX) return undefined;
      const end = this.lengthBytes + length;
      if (this.#bytes.length < end) break;
      // Some hosts send a length of zero to keep a connection open.
      if (length > 0) messages.push(this.#bytes.subarray(this.lengthBytes, end));
      this.#bytes = this.#bytes.subarray(end);
    }
    return messages;
  }
}
