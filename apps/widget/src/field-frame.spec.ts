import { describe, expect, it } from '@jest/globals';
import { FieldFrame } from './field-frame.js';

/** An element whose window keeps what it is told, and which keeps the order. */
function frameOf(address: string) {
  const done: unknown[] = [];
  const element = {
    src: address,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    focus: () => done.push('focus'),
    contentWindow: { postMessage: (...words: unknown[]) => done.push(words) },
  } as unknown as HTMLIFrameElement;
  const frame = new FieldFrame({
    ...{ kind: 'number', element, told: () => undefined, report: () => undefined },
    look: () => {
      throw new Error('It has not loaded.');
    },
  });
  return { frame, done };
}

describe('a frame that is to have the focus', () => {
  it("is told so by its window, which carries the shopper's click along, and on its own origin alone", () => {
    const { frame, done } = frameOf('https://gateway.example/v1/widget/1/field.html#number.a');
    frame.focus();
    frame.close();
    expect(done).toEqual(['focus', [{ kind: 'focus' }, 'https://gateway.example']]);
  });
});
