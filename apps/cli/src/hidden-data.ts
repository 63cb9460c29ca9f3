/** Names of what belongs to a person, or gives access to a card; whatever is below is hidden too. */
const HIDDEN: ReadonlySet<string> = new Set(['personal', 'vaultReference']);
const SHOWN_INSTEAD = '(not shown)';

/** Parsed JSON without personal data: operators see what happened, not to whom. */
export function withoutPersonal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPersonal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      HIDDEN.has(name) ? SHOWN_INSTEAD : withoutPersonal(inner),
    ]),
  );
}
