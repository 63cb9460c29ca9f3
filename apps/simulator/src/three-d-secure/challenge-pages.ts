import { Html, html, plainPage, type PlainPage } from '@sluice/html';
import type { Authentication } from './authentication-book.js';
import { type ChallengeOption, optionsOf, RIGHT_CODE } from './challenge-answers.js';
import type { ChallengeKind } from './test-cards.js';
import { wayBackFields } from './way-back.js';

/** The names of the fields that pages of a challenge send. */
export const answerFields = { value: 'answer', action: 'action' } as const;

const TITLE = 'Test bank: is it you?';
const TRIES = 3;

/** A page that sends the browser on by itself where it has scripts, and by a button where not. */
const SEND_ON = 'document.forms[0].submit()';

/** The page on which a shopper is asked; `action` is where its form leads, relative to it. */
export function challengePage(authentication: Authentication, action: string): PlainPage {
  const { decision, wrongAnswers } = authentication;
  const wrong =
    wrongAnswers === 0
      ? ''
      : html`<p role="alert" class="error" id="wrong">
          That is not right. ${leftText(TRIES - wrongAnswers)}
        </p>`;
  return plainPage({
    title: TITLE,
    isFramed: true,
    // What is asked for comes first: some frames are low.
    main: html`${facts(authentication)} ${wrong}
      <form method="post" action="${action}">
        ${wayBackFields(authentication)} ${QUESTIONS[decision.challenge](wrongAnswers > 0)}
        <button name="${answerFields.action}" value="cancel" formnovalidate>Cancel</button>
      </form>
      <p>This page is of a simulator: no bank asks you, and no money moves.</p>`,
  });
}

function leftText(left: number): string {
  return left === 1 ? 'You can try once more.' : `You can try ${left} more times.`;
}

function facts({ request, last4 }: Authentication): Html {
  const { shop, purchase } = request;
  return html`<dl>
    <dt>Shop</dt>
    <dd>${shop}</dd>
    ${
      purchase === undefined || request.category === '02'
        ? []
        : html`<dt>Amount</dt>
            <dd>${purchase.amount} ${purchase.currency}</dd>`
    }
    <dt>Card</dt>
    <dd>•••• ${last4}</dd>
  </dl>`;
}

const CONFIRM = html`<button class="main" name="${answerFields.action}" value="answer">
  Confirm
</button>`;

const QUESTIONS: Readonly<Record<ChallengeKind, (isWrong: boolean) => Html>> = {
  oneTimePassword: (isWrong) =>
    html`<label for="answer">Code from your text message</label>
      <p id="hint">This is a test, and nothing was sent: ${RIGHT_CODE} is right.</p>
      <input
        id="answer"
        name="${answerFields.value}"
        inputmode="numeric"
        autocomplete="one-time-code"
        maxlength="12"
        required
        autofocus
        ${isWrong ? new Html('aria-invalid="true" aria-describedby="wrong hint"') : new Html('aria-describedby="hint"')}
      />
      ${CONFIRM}`,
  singleSelect: () => choices('singleSelect', 'radio', 'Where have you bought before?'),
  multiSelect: () => choices('multiSelect', 'checkbox', 'Where have you bought before?'),
  outOfBand: () =>
    html`<p>
        Your bank asks you in its app. This is a test, and there is no app: say here what you would
        have done there.
      </p>
      <button class="main" name="${answerFields.action}" value="approve">
        I have approved in my app
      </button>
      <button name="${answerFields.action}" value="decline">I have declined in my app</button>`,
};

function choices(kind: ChallengeKind, type: 'radio' | 'checkbox', question: string): Html {
  const all = optionsOf(kind);
  const right = all.filter(({ isRight }) => isRight).map(({ label }) => label.toLowerCase());
  const advice =
    right.length === 1
      ? `This is a test: ${right.join('')} is right.`
      : `This is a test: ${right.join(' and ')} are right, together.`;
  const choice = ({ value, label }: ChallengeOption, index: number): Html =>
    html`<label class="choice">
      <input
        type="${type}"
        name="${answerFields.value}"
        value="${value}"
        ${index === 0 ? new Html('autofocus') : ''}
      />
      ${label}
    </label>`;
  return html`<fieldset aria-describedby="hint">
      <legend>${question}</legend>
      <p id="hint">${advice}</p>
      ${all.map(choice)}
    </fieldset>
    ${CONFIRM}`;
}

/** Back to where the browser came from, with fields; a button for whoever has no scripts. */
export function sendOnPage(url: string, fields: Readonly<Record<string, string>>): PlainPage {
  return plainPage({
    title: 'Test bank: back to the shop',
    isFramed: true,
    script: SEND_ON,
    main: html`<p>This page is of a simulator. It leads back to ${new URL(url).host}.</p>
      <form method="post" action="${url}">
        ${Object.entries(fields).map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        <button class="main">Back to the shop</button>
      </form>`,
  });
}

/** For a browser that brings what nobody has sent it with. */
export function refusalPage(sentence: string): PlainPage {
  return plainPage({
    title: 'Test bank: this cannot be',
    isFramed: true,
    main: html`<p>This page is of a simulator. ${sentence}</p>`,
  });
}
