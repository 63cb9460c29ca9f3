/** The services that receive commands. */
export const commandTopics = {
  payments: 'payments.commands.v1',
} as const;

/** The streams that services publish. */
export const eventTopics = {
  payments: 'payments.payment.v1',
} as const;

/** How old a command may be before it is recorded as not performed (D-03). */
export const COMMAND_TIME_TO_LIVE_MS = 25_000;
