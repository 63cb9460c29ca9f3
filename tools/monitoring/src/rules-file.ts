import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments, stringify } from 'yaml';

const COMPONENT = new URL('../../../k8s/components/monitoring/', import.meta.url);

/** An alert or a recorded value. */
export interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Rules that are evaluated one after another. */
export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly Rule[];
}

/** Stands in rules.yaml for where the runbooks are read; kustomization.yaml puts that in its place. */
export const RUNBOOKS = 'RUNBOOKS';

/** The groups of k8s/components/monitoring/rules.yaml, as they stand there. */
export function ruleGroups(): readonly RuleGroup[] {
  const text = readFileSync(new URL('rules.yaml', COMPONENT), 'utf8');
  return parseAllDocuments(text).flatMap(
    (document) => (document.toJS() as { spec: { groups: readonly RuleGroup[] } }).spec.groups,
  );
}

/** Every alert of them. */
export function alerts(): readonly (Rule & { readonly alert: string })[] {
  return ruleGroups()
    .flatMap(({ rules }) => rules)
    .filter((rule): rule is Rule & { alert: string } => rule.alert !== undefined);
}

/** Where the runbooks are read, as the component says. */
export function runbooksPlace(): string {
  const text = readFileSync(new URL('kustomization.yaml', COMPONENT), 'utf8');
  const { configMapGenerator } = parse(text) as {
    configMapGenerator: readonly { name: string; literals?: readonly string[] }[];
  };
  const places = configMapGenerator.find(({ name }) => name === 'monitoring-places');
  const place = places?.literals?.find((literal) => literal.startsWith('runbooks='));
  if (place === undefined) throw new Error('The component does not say where runbooks are read.');
  return place.slice('runbooks='.length);
}

/** The rules as Prometheus itself reads them, without an operator. */
export function plainRules(runbooks = runbooksPlace(), groups = ruleGroups()): string {
  const text = stringify({ groups }, { lineWidth: 0, aliasDuplicateObjects: false });
  return text.replaceAll(`${RUNBOOKS}/`, `${runbooks}/`);
}

/** All that one alert can depend on: itself, and every recorded value, in their groups and their order. */
export function groupsFor(alert: string): readonly RuleGroup[] {
  return ruleGroups()
    .map((group) => ({
      ...group,
      rules: group.rules.filter((rule) => rule.alert === undefined || rule.alert === alert),
    }))
    .filter(({ rules }) => rules.length > 0);
}

/** The page of an alert in docs/runbooks: SluiceOutboxStopped has sluice-outbox-stopped. */
export function pageOf(alert: string): string {
  return alert.replaceAll(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/** The folder of the pages. */
export const runbookFolder = fileURLToPath(new URL('../../../docs/runbooks/', import.meta.url));
