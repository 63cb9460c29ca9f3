import { Variable } from '@sluice/service';
import { IsInt, Length, Max, Min } from 'class-validator';
import { type Flag, localFlags, LocalSettings, PORT_MAX } from './local-settings.js';

/** What the sandbox can be told beside what every installation on one machine can. */
export class SandboxSettings extends LocalSettings {
  /** Any free one, so that several sandboxes never meet; whoever starts it reads which. */
  @Variable('SLUICE_MANAGEMENT_PORT')
  @IsInt()
  @Min(0)
  @Max(PORT_MAX)
  readonly managementPort: number = 0;

  /** Whoever reaches it may delete everything, so no other machine does unless it is said. */
  @Variable('SLUICE_MANAGEMENT_HOST')
  @Length(1, 255)
  readonly managementHost: string = '127.0.0.1';

  /** As above: whoever wants to buy something there reads which. */
  @Variable('SLUICE_SHOP_PORT')
  @IsInt()
  @Min(0)
  @Max(PORT_MAX)
  readonly shopPort: number = 0;
}

/** What `--help` lists of SandboxSettings, in this order. */
export const sandboxFlags: readonly Flag<SandboxSettings>[] = [
  ...localFlags,
  {
    flag: '--management-port <number>',
    variable: 'SLUICE_MANAGEMENT_PORT',
    description: 'the port of health, reset and seed; 0 = any free port',
    property: 'managementPort',
  },
  {
    flag: '--management-host <address>',
    variable: 'SLUICE_MANAGEMENT_HOST',
    description: 'the address that this port listens on',
    property: 'managementHost',
  },
  {
    flag: '--shop-port <number>',
    variable: 'SLUICE_SHOP_PORT',
    description: 'the port of the demo shop; 0 = any free port',
    property: 'shopPort',
  },
];
