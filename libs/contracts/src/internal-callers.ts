/**
 * Who may call what inside the installation, over HTTP (D-44, D-45): the name of a query, or a
 * route of the vault, and the services that may. The caller is the one its certificate names. What
 * is not in here, nobody may call; network policies derive from the same table.
 *
 * Edge forgets cards too: one that it holds for a request which then never leaves must not wait for
 * its expiry, and whoever forgets learns nothing.
 */
export const internalCallers = {
  'accounts.directory': ['edge'],
  'payments.transaction': ['edge'],
  'payments.transactionEntries': ['edge'],
  'payments.transactionsByReference': ['reporting'],
  'payments.referenceHeads': ['reporting'],
  'payments.streamEvents': ['reporting'],
  'payments.streamHeads': ['reporting'],
  'payments.personalParameters': ['reporting'],
  'reporting.transactions': ['edge'],
  'vault.hold': ['edge'],
  'vault.reveal': ['payments'],
  'vault.forget': ['edge', 'payments'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
