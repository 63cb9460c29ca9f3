// The reference page's own script: finds parameters, and sends requests to the gateway that served
// the page. Texts are put in as text, never as markup.

/**
 * @typedef {object} TriedRequest
 * @property {string} name
 * @property {string} summary
 * @property {'GET' | 'POST'} method
 * @property {string} path with `{id}` for the last transaction
 * @property {[string, string][]} fields
 * @property {string} [after] the example that makes the transaction for `{id}`
 */

/** Stands in paths for an id that nobody has yet. */
const NO_ID = 'ID';

/** A name that means what another one does, where both together have to be equal. */
const OTHER_NAMES = new Map([['authentication.entityId', 'entityId']]);

/**
 * An element that the page has.
 * @template {HTMLElement} Type
 * @param {string} id
 * @param {new () => Type} type
 * @returns {Type}
 */
function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}.`);
  return found;
}

/** @param {HTMLElement} article @returns its name, rule and format: who takes it is no word to find it by */
function wordsOf(article) {
  return ['h4', 'p', 'dd'].map((part) => article.querySelector(part)?.textContent ?? '');
}

/**
 * A word as people write it and as the reference does: an index is `[n]` here, and the name of a map
 * is theirs to choose.
 * @param {string} word
 */
function spellingsOf(word) {
  const open = word.lastIndexOf('[');
  const close = word.indexOf(']', open);
  const isMap = open !== -1 && (close === -1 || close === word.length - 1);
  return [word, word.replaceAll(/\[[0-9]+\]/g, '[n]'), ...(isMap ? [word.slice(0, open + 1)] : [])];
}

/** Shows the parameters that have all words, and belong to the structure and the request. */
function findParameters() {
  const search = element('search', HTMLInputElement);
  const structure = element('structure', HTMLSelectElement);
  const kind = element('kind', HTMLSelectElement);
  const found = element('found', HTMLElement);
  const sections = [...document.querySelectorAll('section.structure')].map((section) => ({
    section: /** @type {HTMLElement} */ (section),
    title: section.getAttribute('data-title') ?? '',
    articles: [...section.querySelectorAll('article')].map((article) => ({
      article,
      text: [section.getAttribute('data-title'), ...wordsOf(article)].join(' ').toLowerCase(),
      uses: (article.dataset['uses'] ?? '').split(' '),
    })),
  }));
  const total = sections.reduce((sum, { articles }) => sum + articles.length, 0);

  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean).map(spellingsOf);
    let shown = 0;
    for (const { section, title, articles } of sections) {
      const isWanted = structure.value === '' || structure.value === title;
      let count = 0;
      for (const { article, text, uses } of articles) {
        const fits =
          isWanted &&
          (kind.value === '' || uses.includes(kind.value)) &&
          words.every((spellings) => spellings.some((word) => text.includes(word)));
        article.hidden = !fits;
        if (fits) count += 1;
      }
      section.hidden = count === 0;
      shown += count;
    }
    found.textContent = shown === total ? `${total} parameters` : `${shown} of ${total} parameters`;
  };
  for (const control of [search, structure, kind]) control.addEventListener('input', show);
  element('filters', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
  show();
}

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

/** @param {string} text */
const quoted = (text) => (/^[\w.:/@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/**
 * @param {boolean} isRead @param {URL} url @param {string} token
 * @param {[string, string][]} fields
 */
function curlOf(isRead, url, token, fields) {
  const words = [`curl ${isRead ? '-G ' : ''}${quoted(url.href)}`];
  words.push(`-H ${quoted(`Authorization: Bearer ${token}`)}`);
  for (const [name, value] of fields) {
    const flag = /^[\w.@:/ -]*$/.test(value) ? '-d' : '--data-urlencode';
    words.push(`${flag} ${quoted(`${name}=${value}`)}`);
  }
  return words.join(' \\\n  ');
}

/** The form that sends a request to this gateway and shows what it answers. */
class RequestForm {
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
  #curl = element('try-curl', HTMLElement);
  #first = element('try-first', HTMLElement);
  #payFirst = element('try-pay-first', HTMLButtonElement);
  #lastId = NO_ID;
  #requests;

  /** @param {readonly TriedRequest[]} requests */
  constructor(requests) {
    this.#requests = requests;
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
    this.#path.value = request.path.replace('{id}', this.#lastId);
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
    this.#curl.textContent = curlOf(this.#isRead, this.#url, this.#token.value, fields);
    this.#first.hidden = !this.#lacksId;
    this.#send.disabled = this.#lacksId;
    const [what = ''] = this.#firstRequest?.summary.split(':') ?? [];
    this.#payFirst.textContent = `Send ${what.charAt(0).toLowerCase()}${what.slice(1)} first`;
  }

  /** Pays, and then fills in what was chosen, about that payment. */
  async #makeFirst() {
    const wanted = this.#example.value;
    this.#fillIn(this.#firstRequest?.name ?? '');
    if (!(await this.#sendIt())) return;
    this.#fillIn(wanted);
    this.#send.focus();
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
    }
    this.#send.disabled = this.#lacksId;
    return isMade;
  }

  /** @param {Response} response @param {string} text @returns whether it tells of a transaction */
  #showAnswer({ ok, status }, text) {
    /** @type {{ id?: string, result?: { code: string, description: string } }} */
    const { result, ...rest } = JSON.parse(text);
    const said = result === undefined ? '' : ` · ${result.code} · ${result.description}`;
    this.#tell(ok ? 'good' : 'bad', `HTTP ${status}${said}`);
    this.#answer.textContent = JSON.stringify(JSON.parse(text), undefined, 2);
    this.#answerPart.hidden = false;
    const id = ok ? rest.id : undefined;
    this.#next.hidden = id === undefined;
    if (id === undefined) return false;
    this.#lastId = id;
    this.#showNext();
    return true;
  }

  /** @param {'' | 'good' | 'bad'} how @param {string} text */
  #tell(how, text) {
    this.#result.className = how;
    this.#result.textContent = text;
  }

  #showNext() {
    const following = this.#requests.filter(({ path }) => path.includes('{id}'));
    const buttons = following.map(({ name }) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
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

function tryRequests() {
  const block = document.getElementById('try-requests');
  // A live installation has no form.
  if (block === null) return;
  /** @type {readonly TriedRequest[]} */
  const requests = JSON.parse(block.textContent);
  const form = new RequestForm(requests);
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    const { line } = target.dataset;
    if (line === undefined) return;
    form.add(line);
    target.textContent = 'Added';
  });
}

findParameters();
tryRequests();
