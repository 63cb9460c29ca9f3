import { html } from '../html.js';
import type { Body } from './frame.js';

const said = (title: string, words: string): Body => ({
  title,
  kind: 'narrow',
  main: html`<h1>${title}</h1>
    <p class="words">${words}</p>
    <p><a class="button" href="/">See the prints</a></p>`,
});

/** What is said where there is nothing else to show. */
export const message = {
  nothingHere: said('There is nothing here', 'Perhaps there was, before the shop was restarted.'),
  fromElsewhere: said('That came from another site', 'Nothing was changed.'),
  noAnswer: said(
    'The gateway does not answer',
    'Your basket is as it was. Try again in a moment: what you order is paid for once at most.',
  ),
  notRemoved: said(
    'The card is still saved',
    'The gateway did not remove it. Try again in a moment.',
  ),
  mistake: said('Something went wrong here', 'Your basket is as it was.'),
} as const;
