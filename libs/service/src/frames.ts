import type { Duplex } from 'node:stream';

/*
 * What goes over the one connection of two of our processes: frames, each a call or (a part of) its
 * answer, in any order. A frame is its length (32 bits, of what follows), the call's number (32), a
 * code (16), the length of its head (16), the head in ASCII and the body in UTF-8.
 */

/** The protocol and its version, as the `upgrade` header names it. */
export const FRAMES_PROTOCOL = 'sluice-frames/1';
/** With it a server says in its answers over HTTP that it can speak frames, too. */
export const FRAMES_OFFER = 'sluice-frames';
/** The number that no call has. The server sends it once: it takes no more calls here. */
export const GOODBYE = 0;

/** Longer requests go over HTTP, longer answers in parts, so that nobody waits behind one. */
export const FRAME_BODY_BYTES_MAX = 64 * 1024;
/** Of paths, traces and request ids, which we name ourselves. */
export const FRAME_HEAD_BYTES_MAX = 1024;
/** So much may wait for a peer that does not read. */
export const UNWRITTEN_BYTES_MAX = 1024 * 1024;
/** A peer that is gone without a word is noticed some ten seconds after this. */
export const PROBE_AFTER_MS = 30_000;

/** Code of a call; an answer has its status, as in HTTP. */
export const CALL = 0;
/** Added to the status of an answer of which another part follows. */
export const MORE = 0x80_00;

/** One call, or one part of an answer. */
export interface Frame {
  readonly id: number;
  readonly code: number;
  readonly head: string;
  /** A view of what arrived, not a copy: it keeps the whole piece in memory. */
  readonly body: Buffer;
}

/** What arrived is not a frame: nothing that follows can be understood. */
export class FrameBroken extends Error {
  override readonly name = 'FrameBroken';
}

const LENGTH_BYTES = 4;
const FIXED_BYTES = 8;
const FRAME_BYTES_MAX = FIXED_BYTES + FRAME_HEAD_BYTES_MAX + FRAME_BODY_BYTES_MAX;

/** Writes frames; those of one turn of the event loop go out together. */
export class FrameWriter {
  #waiting: Buffer[] = [];

  constructor(private readonly socket: Duplex) {}

  /** Head and body must not be longer than they may be. */
  send(id: number, code: number, head: string, body: string | Buffer): void {
    const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const bytes = FIXED_BYTES + head.length + bodyBytes;
    const frame = Buffer.allocUnsafe(LENGTH_BYTES + bytes);
    frame.writeUInt32BE(bytes, 0);
    frame.writeUInt32BE(id, 4);
    frame.writeUInt16BE(code, 8);
    frame.writeUInt16BE(head.length, 10);
    frame.write(head, 12, 'latin1');
    if (typeof body === 'string') frame.write(body, 12 + head.length, 'utf8');
    else body.copy(frame, 12 + head.length);
    if (this.#waiting.push(frame) === 1) process.nextTick(this.flush);
  }

  /** Writes what waits, now. */
  readonly flush = (): void => {
    const frames = this.#waiting;
    this.#waiting = [];
    if (frames.length === 0 || this.socket.destroyed || this.socket.writableEnded) return;
    this.socket.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
  };
}

/** Puts frames together from the pieces in which they arrive. */
export class FrameReader {
  #rest: Buffer | undefined;

  constructor(private readonly onFrame: (frame: Frame) => void) {}

  /** Whether a frame has begun to arrive and not ended. */
  get isWithinFrame(): boolean {
    return this.#rest !== undefined;
  }

  /** Takes what arrived. Throws FrameBroken, and is of no use afterwards. */
  read(chunk: Buffer): void {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (bytes.length - at >= LENGTH_BYTES) {
      const length = bytes.readUInt32BE(at);
      if (length < FIXED_BYTES || length > FRAME_BYTES_MAX) throw new FrameBroken('length');
      const end = at + LENGTH_BYTES + length;
      if (end > bytes.length) break;
      this.onFrame(frameIn(bytes, at, end));
      at = end;
    }
    this.#rest = at === bytes.length ? undefined : bytes.subarray(at);
  }
}

function frameIn(bytes: Buffer, at: number, end: number): Frame {
  const headBytes = bytes.readUInt16BE(at + 10);
  const bodyAt = at + 12 + headBytes;
  if (headBytes > FRAME_HEAD_BYTES_MAX || bodyAt > end) throw new FrameBroken('head');
  return {
    id: bytes.readUInt32BE(at + 4),
    code: bytes.readUInt16BE(at + 8),
    head: headBytes === 0 ? '' : bytes.toString('latin1', at + 12, bodyAt),
    body: bytes.subarray(bodyAt, end),
  };
}
