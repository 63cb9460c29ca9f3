// The form that sends a request to the gateway that served the page. Texts are put in as text, never
// as markup.
import { CodeSamples } from './code-tabs.js';
import { element } from './page-element.js';
import { spellingsOf } from './search.js';

/**
 * @typedef {object} TriedRequest
 * @property {string} name
 * @property {string} summary
 * @property {'GET' | 'POST'} method
 * @property {string} path with `{id}` for a transaction
 * @property {[string, string][]} fields
 * @property {string[]} [on] the types of transactions that it may refer to; any where it is missing
 * @property {string} [after] the example that makes the transaction for `{id}`
 */

/** @typedef {{ name: string, message: string }} ParameterError */

/**
 * @typedef {object} Answer
 * @property {string} [id]
 * @property {string} [paymentType]
 * @property {{ code: string, description: string, parameterErrors?: ParameterError[] }} [result]
 */

/** Stands in paths for an id that nobody has yet. */
const NO_ID = 'ID';

/** A name that means what another one does, where both together have to be equal. */
const OTHER_NAMES = new Map([['authentication.entityId', 'entityId']]);

/** @param {string} text @returns {[string, string][]} */
function fieldsOf(text) {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf('=');
      return at === -1 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1)];
    });
}

/** The form that sends a request to this gateway and shows what it answers. */
export class RequestForm {
  #token = element('try-token', HTMLInputElement);
  #example = element('try-example', HTMLSelectElement);
  #method = element('try-method', HTMLElement);
  #path = element('try-path', HTMLInputElement);
  #body = element('try-body', HTMLTextAreaElement);
  #send = element('try-send', HTMLButtonElement);
  #result = element('try-result', HTMLElement);
  #next = element('try-next', HTMLElement);
  #answerPart = element('try-answer-part', HTMLDetailsElement);
  #answer = element('try-answer', HTMLElement);
  #errors = element('try-errors', HTMLElement);
  #samples = new CodeSamples();
  #first = element('try-first', HTMLElement);
  #payFirst = element('try-pay-first', HTMLButtonElement);
  /** The last transaction, and what it is where something may refer to it. */
  #last = { id: NO_ID, type: '' };
  #requests;
  #succeeded;

  /** @param {readonly TriedRequest[]} requests @param {readonly RegExp[]} succeeded codes to which something may refer */
  constructor(requests, succeeded) {
    this.#requests = requests;
    this.#succeeded = succeeded;
    this.#example.addEventListener('input', () => this.#fillIn(this.#example.value));
    for (const control of [this.#token, this.#path, this.#body]) {
      control.addEventListener('input', () => this.#showRequest());
    }
    this.#payFirst.addEventListener('click', () => void this.#makeFirst());
    element('try-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#sendIt();
    });
    this.#fillIn(requests[0]?.name ?? '');
  }

  /** @param {string} added `name=value`, in place of one with that name */
  add(added) {
    const name = added.slice(0, added.indexOf('='));
    const fields = fieldsOf(this.#body.value);
    const same = fields.find(([each]) => each === OTHER_NAMES.get(name));
    const line = same === undefined ? added : `${name}=${same[1]}`;
    const others = fields.filter((field) => field[0] !== name && field !== same);
    this.#body.value = [...others.map((field) => field.join('=')), line].join('\n');
    this.#body.scrollTop = this.#body.scrollHeight;
    this.#selectName(line);
    this.#showRequest();
  }

  /** Selects the name in the brackets of a map, which is an example for people to overwrite. @param {string} line */
  #selectName(line) {
    const open = line.indexOf('[');
    const close = line.indexOf(']=');
    if (open === -1 || close === -1) return;
    const start = this.#body.value.length - line.length + open + 1;
    this.#body.focus();
    this.#body.setSelectionRange(start, start + close - open - 1);
  }

  get #url() {
    return new URL(this.#path.value, document.baseURI);
  }

  get #isRead() {
    return this.#method.textContent === 'GET';
  }

  /** @param {string} name */
  #fillIn(name) {
    const request = this.#requests.find((each) => each.name === name);
    if (request === undefined) return;
    this.#example.value = name;
    this.#method.textContent = request.method;
    this.#path.value = request.path.replace('{id}', this.#isLegal(request) ? this.#last.id : NO_ID);
    this.#body.value = request.fields.map((field) => field.join('=')).join('\n');
    this.#showRequest();
  }

  /** The example that makes the transaction for the one that is chosen. */
  get #firstRequest() {
    const { after = 'debit' } =
      this.#requests.find(({ name }) => name === this.#example.value) ?? {};
    return this.#requests.find(({ name }) => name === after);
  }

  /** Whether the path names no transaction as yet. */
  get #lacksId() {
    return this.#path.value.split('/').includes(NO_ID);
  }

  /** The same with curl; and what has to be done first, where there is nothing to refer to. */
  #showRequest() {
    const fields = fieldsOf(this.#body.value);
    const { href: url } = this.#url;
    this.#samples.show({ isRead: this.#isRead, url, token: this.#token.value, fields });
    this.#first.hidden = !this.#lacksId;
    this.#send.disabled = this.#lacksId;
    const [what = ''] = this.#firstRequest?.summary.split(':') ?? [];
    this.#payFirst.textContent = `Send ${what.charAt(0).toLowerCase()}${what.slice(1)} first`;
  }

  /** Makes the transaction for what was chosen, and what comes before that one, and fills its id in. */
  async #makeFirst() {
    const wanted = this.#example.value;
    this.#fillIn(this.#firstRequest?.name ?? '');
    if (this.#lacksId) await this.#makeFirst();
    if (this.#lacksId || !(await this.#sendIt())) return;
    this.#fillIn(wanted);
    this.#send.focus();
  }

  /** Whether a request may refer to the last transaction. @param {TriedRequest} request */
  #isLegal({ on }) {
    return on === undefined || on.includes(this.#last.type);
  }

  /** @returns whether a transaction came of it */
  async #sendIt() {
    let isMade = false;
    const fields = new URLSearchParams(fieldsOf(this.#body.value));
    const url = this.#url;
    if (this.#isRead) url.search = fields.toString();
    this.#send.disabled = true;
    this.#tell('', 'Sending …');
    try {
      const response = await fetch(url, {
        method: this.#isRead ? 'GET' : 'POST',
        headers: { Authorization: `Bearer ${this.#token.value}` },
        ...(!this.#isRead && { body: fields }),
      });
      isMade = this.#showAnswer(response, await response.text());
    } catch {
      this.#tell('bad', 'The gateway did not answer, or not with JSON.');
      this.#answer.textContent = '';
      this.#answerPart.hidden = true;
      this.#next.hidden = true;
      this.#showErrors([]);
    }
    this.#send.disabled = this.#lacksId;
    return isMade;
  }

  /** @param {Response} response @param {string} text @returns whether it tells of a transaction */
  #showAnswer({ ok, status }, text) {
    /** @type {Answer} */
    const answer = JSON.parse(text);
    const { result, paymentType = '' } = answer;
    const said = result === undefined ? '' : ` · ${result.code} · ${result.description}`;
    this.#tell(ok ? 'good' : 'bad', `HTTP ${status}${said}`);
    this.#answer.textContent = JSON.stringify(answer, undefined, 2);
    this.#answerPart.hidden = false;
    const id = ok ? answer.id : undefined;
    this.#next.hidden = id === undefined;
    this.#showErrors(result?.parameterErrors ?? []);
    if (id === undefined) return false;
    const isDone = this.#succeeded.some((pattern) => pattern.test(result?.code ?? ''));
    this.#last = { id, type: isDone ? paymentType : '' };
    this.#showNext();
    return true;
  }

  /**
   * What is wrong with which line, at the top of the panel, where it is seen; each leads to its line
   * and to its rule.
   * @param {readonly ParameterError[]} errors
   */
  #showErrors(errors) {
    this.#errors.hidden = errors.length === 0;
    if (errors.length === 0) {
      this.#result.scrollIntoView({ block: 'nearest' });
      return;
    }
    const title = document.createElement('h3');
    title.textContent = `Refused: ${errors.length === 1 ? 'one parameter' : `${errors.length} parameters`}`;
    const list = document.createElement('ul');
    list.append(...errors.map((error) => this.#errorItem(error)));
    this.#errors.replaceChildren(title, list);
    this.#errors.focus();
    this.#errors.scrollIntoView({ block: 'nearest' });
  }

  /** @param {ParameterError} error */
  #errorItem({ name, message }) {
    const item = document.createElement('li');
    const line = document.createElement('a');
    line.href = '#try-body';
    line.textContent = name;
    line.addEventListener('click', (event) => {
      event.preventDefault();
      this.#selectLine(name);
    });
    item.append(line, ` ${message}`);
    const article = articleOf(name);
    if (article !== undefined) {
      const rule = document.createElement('a');
      rule.href = `#${article.id}`;
      rule.textContent = article.querySelector('.format')?.textContent ?? 'rule';
      item.append(': ', rule);
    }
    return item;
  }

  /** The line of a parameter; the end where it has none, to be written there. @param {string} name */
  #selectLine(name) {
    const text = `\n${this.#body.value}`;
    const at = text.indexOf(`\n${name}=`);
    const end = text.indexOf('\n', at + 1);
    this.#body.focus();
    if (at === -1) this.#body.setSelectionRange(text.length, text.length);
    else this.#body.setSelectionRange(at, (end === -1 ? text.length : end) - 1);
  }

  /** @param {'' | 'good' | 'bad'} how @param {string} text */
  #tell(how, text) {
    this.#result.className = how;
    this.#result.textContent = text;
  }

  #showNext() {
    const following = this.#requests.filter(
      (request) => request.path.includes('{id}') && this.#isLegal(request),
    );
    const buttons = following.map(({ name }) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = inWords(name);
      button.addEventListener('click', () => {
        this.#fillIn(name);
        this.#send.focus();
      });
      return button;
    });
    this.#next.replaceChildren('Go on with it:', ...buttons);
    this.#next.hidden = false;
  }
}

/** The row of the reference that a parameter of a request has. @param {string} name */
function articleOf(name) {
  return spellingsOf(name)
    .map((each) =>
      each.endsWith('[')
        ? document.querySelector(`article[id^="${CSS.escape(`p.${each}`)}"]`)
        : document.getElementById(`p.${each}`),
    )
    .find((article) => article !== null);
}

/** @param {string} name of an example: `chargebackReversal` */
function inWords(name) {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
