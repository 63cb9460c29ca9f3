/** What is done to a registration: it is made (RG), its life extended (TE), it is deleted (DR). */
export const registrationOperations = ['registration', 'extension', 'deletion'] as const;

/** One of them. */
export type RegistrationOperation = (typeof registrationOperations)[number];
