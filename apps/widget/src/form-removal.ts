import { render } from 'preact';

/** Takes a form off the page, with all that was rendered of it. */
export function removeContainer(container: HTMLDivElement): void {
  render(null, container);
  container.remove();
}
