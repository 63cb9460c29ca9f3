import type { OpenKeys } from '@sluice/service';
import { type Token, token } from '@sluice/service-module';
import type { WebhooksSettings } from './settings.js';

/** The settings, with the defaults of what is not said. */
export const SETTINGS: Token<WebhooksSettings> = token('settings');
/** What secrets and addresses are sealed with. */
export const KEYS: Token<OpenKeys> = token('keys');
