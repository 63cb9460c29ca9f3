import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PressedPointer } from './pressed-pointer.js';

let page: EventTarget;
let pointer: PressedPointer;
let done: string[];
const later = (what: string) => pointer.whenReleased(() => done.push(what));
const happens = (name: string) => page.dispatchEvent(new Event(name));

beforeEach(() => {
  jest.useFakeTimers();
  page = new EventTarget();
  pointer = new PressedPointer(page as Document);
  done = [];
});
afterEach(() => {
  pointer.close();
  jest.useRealTimers();
});

describe('what would move a page', () => {
  it('does so at once where no pointer is pressed', () => {
    later('hint');
    expect(done).toEqual(['hint']);
  });

  it('waits until the pointer is released and has clicked', () => {
    happens('pointerdown');
    happens('mousedown');
    later('hint');
    later('other hint');
    happens('pointerup');
    happens('mouseup');
    // Here browsers tell of the click.
    expect(done).toEqual([]);
    jest.runAllTimers();
    expect(done).toEqual(['hint', 'other hint']);
    later('next');
    expect(done).toEqual(['hint', 'other hint', 'next']);
  });

  it('waits for the mouse events that follow a finger', () => {
    happens('pointerdown');
    happens('pointerup');
    happens('mousedown');
    later('hint');
    jest.runAllTimers();
    expect(done).toEqual([]);
    happens('mouseup');
    jest.runAllTimers();
    expect(done).toEqual(['hint']);
  });

  it('waits no longer than a press that the browser makes something else of', () => {
    happens('pointerdown');
    later('hint');
    happens('pointercancel');
    jest.runAllTimers();
    expect(done).toEqual(['hint']);
  });

  it('does not happen any more once the form is gone', () => {
    happens('pointerdown');
    later('hint');
    pointer.close();
    happens('pointerup');
    jest.runAllTimers();
    expect(done).toEqual([]);
  });
});
