import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CALL,
  FRAME_BODY_BYTES_MAX,
  FrameBroken,
  FrameReader,
  FrameWriter,
  MORE,
} from './frames.js';

/** What a writer wrote, as one piece, and in how many. */
async function written(write: (writer: FrameWriter) => void): Promise<readonly Buffer[]> {
  const stream = new PassThrough();
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  write(new FrameWriter(stream));
  await nextTurn();
  return pieces;
}

function read(pieces: readonly Buffer[]): readonly unknown[] {
  const frames: unknown[] = [];
  const reader = new FrameReader(({ body, ...frame }) =>
    frames.push({ ...frame, body: body.toString() }),
  );
  for (const piece of pieces) reader.read(piece);
  expect(reader.isWithinFrame).toBe(false);
  return frames;
}

const FRAMES = [
  { id: 1, code: CALL, head: '/cards/hold\n\n', body: '{"holder":"Zoë 🦥"}' },
  { id: 4_294_967_295, code: 200 + MORE, head: '', body: 'x'.repeat(FRAME_BODY_BYTES_MAX) },
  { id: 2, code: 200, head: '', body: '' },
];

describe('frames', () => {
  it('of one turn of the event loop are one write', async () => {
    const pieces = await written((writer) => {
      for (const { id, code, head, body } of FRAMES) writer.send(id, code, head, body);
    });
    expect(pieces).toHaveLength(1);
    expect(read(pieces)).toEqual(FRAMES);
  });

  it('are put together however they are cut', async () => {
    const [first, , last] = FRAMES;
    const [whole = Buffer.alloc(0)] = await written((writer) => {
      for (const frame of [first, last]) {
        if (frame !== undefined) writer.send(frame.id, frame.code, frame.head, frame.body);
      }
    });
    for (let size = 1; size < whole.length; size += 1) {
      const pieces = [];
      for (let at = 0; at < whole.length; at += size) pieces.push(whole.subarray(at, at + size));
      expect(read(pieces)).toEqual([first, last]);
    }
  });

  it.each([
    ['too long', [0x00, 0x02, 0x00, 0x00]],
    ['without room for its own fields', [0, 0, 0, 7]],
    ['whose head is longer than itself', [0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['that is HTTP', [...Buffer.from('GET / HTTP/1.1\r\n\r\n')]],
  ])('%s are refused', (_, bytes) => {
    const reader = new FrameReader(() => undefined);
    expect(() => reader.read(Buffer.from(bytes))).toThrow(FrameBroken);
  });

  it('that have begun are known to be on their way', () => {
    const reader = new FrameReader(() => undefined);
    reader.read(Buffer.from([0, 0, 0, 8, 0]));
    expect(reader.isWithinFrame).toBe(true);
  });
});
