import { referableOperations } from '@sluice/contracts';
import {
  paymentExamples,
  paymentTypeOf,
  referenceExamples,
  referenceOperationByType,
} from '@sluice/parameters';
import { groups } from '@sluice/result-codes';
import { html, type Html, jsonBlock } from '@sluice/html';

/** A channel that anybody may pay with: what the form is filled in with. */
export interface DemoChannel {
  readonly entityId: string;
  readonly accessToken: string;
}

/**
 * A request as the page's script sends it; `{id}` in the path is the last transaction, and `after`
 * the example that makes one for it.
 */
interface TriedRequest {
  readonly name: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly fields: readonly (readonly [string, string])[];
  /** The types of transactions that it may refer to; any where it is missing. */
  readonly on?: readonly string[];
  readonly after?: string;
}

/** The form that sends a request, filled in where there is a channel for everybody. */
export function tryPanel(demo: DemoChannel | undefined): Html {
  const requests = triedRequests(demo?.entityId ?? '');
  const hint =
    demo === undefined
      ? html`Fill in your access token and <code>entityId</code>; this is a test installation.`
      : html`Filled in with the demo channel. No money moves: a simulator answers.`;
  return html`
    <section class="panel" id="try" aria-labelledby="try-title">
      <h2 id="try-title">Try it</h2>
      <p>${hint}</p>
      <div id="try-errors" class="errors" role="alert" tabindex="-1" hidden></div>
      <form id="try-form">
        <label for="try-example">Example</label>
        <select id="try-example">
          ${requests.map(({ name, summary }) => html`<option value="${name}">${summary}</option>`)}
        </select>
        <label for="try-token">Access token</label>
        <input
          id="try-token"
          value="${demo?.accessToken ?? ''}"
          autocomplete="off"
          spellcheck="false"
        />
        <label for="try-path">Path</label>
        <div class="line">
          <span id="try-method">POST</span>
          <input id="try-path" value="/v1/payments" autocomplete="off" spellcheck="false" />
        </div>
        <label for="try-body">Parameters, one <code>name=value</code> a line</label>
        <textarea id="try-body" rows="11" autocomplete="off" spellcheck="false"></textarea>
        <div id="try-first" class="next" role="group" aria-label="What comes first" hidden>
          <p>
            <code>ID</code> in the path stands for a transaction of yours. Pay first, and its id is
            filled in.
          </p>
          <button type="button" id="try-pay-first"></button>
        </div>
        <button type="submit" id="try-send">Send</button>
      </form>
      <div id="try-result" role="status" aria-live="polite"></div>
      <div id="try-next" class="next" role="group" aria-label="Next requests" hidden></div>
      <details id="try-answer-part" open hidden>
        <summary>Answer</summary>
        <pre id="try-answer" tabindex="0" aria-label="Body of the answer"></pre>
      </details>
      <details id="code">
        <summary>The same in code</summary>
        <div class="code-head">
          <div id="code-tabs" role="tablist" aria-label="Language"></div>
          <button type="button" id="code-copy" hidden>Copy</button>
        </div>
        <pre id="code-sample" role="tabpanel" tabindex="0"></pre>
      </details>
      ${jsonBlock('try-requests', requests)} ${jsonBlock('try-succeeded', succeeded)}
    </section>
  `;
}

/** To a transaction that ended with one of these another may refer; it may be read whatever it is. */
const succeeded = groups
  .filter(({ outcome }) => outcome === 'success' || outcome === 'chargeback')
  .map(({ pattern }) => pattern.source);

function triedRequests(entityId: string): readonly TriedRequest[] {
  const posts = Object.entries(paymentExamples).map(([name, { summary, fields }]) => ({
    ...({ name, summary, path: '/v1/payments', method: 'POST' } as const),
    fields: Object.entries({ ...fields, entityId }),
  }));
  const references = Object.entries(referenceExamples).map(([name, { summary, fields }]) => {
    const on = typesReferredTo(fields.paymentType);
    return {
      ...({ name, summary, path: '/v1/payments/{id}', method: 'POST', on } as const),
      fields: Object.entries({ ...fields, entityId }),
      after: afterWhat(on),
    };
  });
  const reads = { method: 'GET', fields: [['entityId', entityId]], after: 'debit' } as const;
  return [
    ...posts,
    ...references,
    { ...reads, name: 'read', summary: 'Read a transaction', path: '/v1/payments/{id}' },
    { ...reads, name: 'query', summary: 'Query a transaction', path: '/v1/query/{id}' },
  ];
}

/** What the transactions that a request may refer to are called in answers. */
function typesReferredTo(paymentType: string): readonly string[] {
  const operation = referenceOperationByType.get(paymentType);
  const on = operation === undefined ? [] : referableOperations[operation];
  return [...new Set(on.map(paymentTypeOf))];
}

/** The example that makes a transaction of one of these types. */
function afterWhat(on: readonly string[]): string {
  if (on.includes('DB')) return 'debit';
  return on.includes('PA') ? 'authorization' : 'chargeback';
}
