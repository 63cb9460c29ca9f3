/**
 * What is done to a registration: it is made (RG), what is kept of it is changed (RR), its life is
 * extended (TE), it is deleted (DR).
 */
export const registrationOperations = ['registration', 'update', 'extension', 'deletion'] as const;

/** One of them. */
export type RegistrationOperation = (typeof registrationOperations)[number];

/** Whether something that queries find was done to a registration. */
export function isRegistrationOperation(operation: string): operation is RegistrationOperation {
  return registrationOperations.some((each) => each === operation);
}
