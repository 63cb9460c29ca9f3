const RELEASES = ['pointerup', 'pointercancel', 'mouseup'] as const;
const PRESSES = ['pointerdown', 'mousedown'] as const;

/**
 * Whether the shopper's pointer is pressed, anywhere on the page. A press takes the focus from a field; what
 * would be said of that field then moves a button away from under the pointer, and the click is lost, on this
 * form's button as well as on the page's own.
 */
export class PressedPointer {
  #isPressed = false;
  #waiting: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly page: Pick<Document, 'addEventListener' | 'removeEventListener'>) {
    for (const name of PRESSES) page.addEventListener(name, this.#pressed, true);
    for (const name of RELEASES) page.addEventListener(name, this.#released, true);
  }

  /** Runs it at once, or once the pointer is released and what it was pressed on has been told. */
  whenReleased(run: () => void): void {
    if (this.#isPressed) this.#waiting.push(run);
    else run();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    for (const name of PRESSES) this.page.removeEventListener(name, this.#pressed, true);
    for (const name of RELEASES) this.page.removeEventListener(name, this.#released, true);
  }

  readonly #pressed = (): void => {
    clearTimeout(this.#timer);
    this.#isPressed = true;
  };

  /** The click comes right behind, in the same task; of a finger, its mouse events come as a task more. */
  readonly #released = (): void => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isPressed = false;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const run of waiting) run();
    });
  };
}
