// The one file that imports the apps: loading them takes longer than starting PostgreSQL, so it is
// itself imported only once that is on its way.
export { AccountsModule } from '@sluice/accounts';
export { EdgeModule } from '@sluice/edge';
export { PaymentsModule, RelayModule } from '@sluice/payments';
export { ReportingModule } from '@sluice/reporting';
export { SimulatorModule } from '@sluice/simulator';
export { VaultModule } from '@sluice/vault';
