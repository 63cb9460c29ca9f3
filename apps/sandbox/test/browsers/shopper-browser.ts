/** Where an element is: by a selector, which may follow that of the frame that the element is in. */
export type Place = string | readonly [frame: string, selector: string];

/** A key that writes nothing. */
export type Key = 'Tab' | 'Enter' | 'ArrowDown';

/**
 * What a shopper does in a browser, and what is seen there; the scenarios need no more of any engine.
 * What it asks of a page that is just being left may fail: whoever waits asks again.
 */
export interface ShopperBrowser {
  /** Goes to an address, in the one window that is left of all. */
  open(url: string): Promise<void>;
  /** The same with the room that a phone has. */
  openOnPhone(
    url: string,
    size: { readonly width: number; readonly height: number },
  ): Promise<void>;
  /** By the browser's own button. */
  back(): Promise<void>;
  click(place: Place): Promise<void>;
  doubleClick(place: Place): Promise<void>;
  /** Types where the focus is, wherever that is. */
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** So that what is typed takes the place of what is there. */
  selectAll(): Promise<void>;
  /** What an expression is in the page, or in a frame of it by its selector. */
  evaluate<T>(expression: string, frame?: string): Promise<T>;
  /** Goes on in the window that the page has opened. */
  followPopup(): Promise<void>;
  /** Closes that, and goes on in the one before. */
  closePopup(): Promise<void>;
  /** A picture of what is seen, as a PNG file. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/** The frame of a place, if it is in one, and the selector there. */
export function partsOf(place: Place): { readonly frame?: string; readonly selector: string } {
  if (typeof place === 'string') return { selector: place };
  const [frame, selector] = place;
  return { frame, selector };
}
