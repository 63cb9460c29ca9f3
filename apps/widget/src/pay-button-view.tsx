import type { Options, Spinner } from './options.js';
import type { SubmissionState } from './submission-state.js';

/** What the button that sends a form is made of. */
export interface PayButtonParts {
  readonly text: string;
  readonly state: SubmissionState;
  /** Whether something in the form is wrong. */
  readonly isWrong: boolean;
  readonly options: Pick<Options, 'spinner'>;
  /** Beside those of every such button. */
  readonly class?: string;
  readonly action?: string;
  readonly describedBy?: string | undefined;
  /** The id of what its name goes on with, where other buttons say the same. */
  readonly namedBy?: string | undefined;
}

/** The button by which shops find the end of a form (wire contract 10). */
export function PayButton(parts: PayButtonParts) {
  const { text, state, isWrong, options, class: own = '', namedBy } = parts;
  const id = namedBy && `${namedBy}-pay`;
  const { isSending, isOver } = state;
  return (
    <button
      type="submit"
      class={`wpwl-button wpwl-button-pay${own}${isWrong ? ' wpwl-button-error' : ''}`}
      data-action={parts.action}
      id={id}
      // By what stands on it, which may be the shop's own words.
      aria-labelledby={id && `${id} ${namedBy}`}
      disabled={isSending || isOver}
      aria-busy={isSending}
      aria-describedby={parts.describedBy}
    >
      {isSending && options.spinner !== undefined && <Turning {...options.spinner} />}
      {text}
    </button>
  );
}

const DEGREES = 360;

/** By the drawing alone, so that it turns without a style of ours; not where somebody wants no motion. */
function Turning({ color, lines }: Spinner) {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return (
    <svg class="wpwl-spinner" viewBox="-12 -12 24 24" width="20" height="20" aria-hidden="true">
      <g fill={color}>
        {Array.from({ length: lines }, (_, index) => (
          <rect
            key={index}
            x="-1"
            y="-11"
            width="2"
            height="6"
            rx="1"
            opacity={(index + 1) / lines}
            transform={`rotate(${(index * DEGREES) / lines})`}
          />
        ))}
        {!isCalm && (
          <animateTransform
            attributeName="transform"
            type="rotate"
            from="0"
            to={DEGREES}
            dur="1s"
            repeatCount="indefinite"
          />
        )}
      </g>
    </svg>
  );
}
