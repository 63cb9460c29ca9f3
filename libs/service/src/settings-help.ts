import { describeSettings, type SettingDescription, variableNames } from './settings.js';

const MEANING_COLUMN_MIN = 24;

/** What `--help` of a service prints: every variable, its meaning, its default. */
export function settingsHelp(service: string, classes: readonly (new () => object)[]): string {
  const described = classes.flatMap((settingsClass) => describeSettings(settingsClass));
  // Some are read for two purposes, each in its own class.
  const descriptions = [...new Map(described.map((setting) => [setting.name, setting])).values()];
  const column = Math.max(MEANING_COLUMN_MIN, ...descriptions.map(({ name }) => name.length + 2));
  const lines = descriptions.map(
    (description) => `  ${description.name.padEnd(column)}${textOf(description)}`,
  );
  const hasSecrets = descriptions.some(({ secret }) => secret);
  return [
    `The service ${service}. It is told everything by environment variables:`,
    '',
    ...lines,
    '',
    ...(hasSecrets
      ? ['A secret can also be in a file: set the variable with _FILE behind its name to the path.']
      : []),
    '',
  ].join('\n');
}

function textOf({ meaning, isRequired, secret, default: value }: SettingDescription): string {
  const notes = [
    ...(secret ? ['secret'] : []),
    ...(isRequired ? ['must be set'] : []),
    ...(value === undefined ? [] : [`default ${value}`]),
  ];
  return notes.length === 0 ? meaning : `${meaning} (${notes.join(', ')})`;
}

/**
 * Variables that begin like this service's own but are unknown: most likely mistyped, so that the
 * default is used without anybody noticing.
 */
export function unknownVariables(
  service: string,
  classes: readonly (new () => object)[],
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  const known = new Set(classes.flatMap((settingsClass) => variableNames(settingsClass)));
  const prefix = `${service.toUpperCase().replaceAll('-', '_')}_`;
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !known.has(name))
    .sort();
}
