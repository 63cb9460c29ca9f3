import {
  DEFAULT_SCHEDULE_SETTINGS,
  missedRunChoices,
  type ScheduleSettings,
} from '@sluice/contracts';
import type { LocatedValue } from './located-json.js';
import { type Members, membersOf, quoted, SeedRefused, textOf } from './seed-values.js';

/** The longest name of the tz database has 32. */
const TIME_ZONE_CHARACTERS_MAX = 64;
/** `UTC`, `Europe/Berlin`, `America/Argentina/Buenos_Aires`; a distance as `+01:00` has no summer. */
const TIME_ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;

/** Reads what a node says of schedules. @throws SeedRefused */
export function readSchedules(value: LocatedValue): ScheduleSettings {
  const members = membersOf(value, '"schedules"', ['timeZone', 'missedRuns']);
  return {
    timeZone: timeZoneOf(members, value) ?? DEFAULT_SCHEDULE_SETTINGS.timeZone,
    missedRuns: missedRunsOf(members) ?? DEFAULT_SCHEDULE_SETTINGS.missedRuns,
  };
}

function timeZoneOf(members: Members, parent: LocatedValue): string | undefined {
  if (!members.has('timeZone')) return undefined;
  const { text, line } = textOf(members, parent, 'timeZone', TIME_ZONE_CHARACTERS_MAX);
  if (TIME_ZONE.test(text) && isKnown(text)) return text;
  throw new SeedRefused(line, `${quoted(text)} is no time zone, as "Europe/Berlin" is`);
}

function isKnown(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

function missedRunsOf(members: Members): ScheduleSettings['missedRuns'] | undefined {
  const value = members.get('missedRuns')?.value;
  if (value === undefined) return undefined;
  const choice = missedRunChoices.find((each) => value.kind === 'string' && value.text === each);
  if (choice !== undefined) return choice;
  const choices = missedRunChoices.map(quoted).join(' or ');
  throw new SeedRefused(value.line, `"missedRuns" must be ${choices}`);
}
