import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import type {
  DirectoryAnswer,
  DirectoryQuery,
  RoutingAnswer,
  RoutingQuery,
  ScheduleSettings,
  ScheduleSettingsQuery,
} from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { AccountTree } from './account-tree.js';
import { Askers } from './askers.js';

/** What other services may ask about accounts. */
@Controller()
export class QueriesController {
  constructor(
    private readonly tree: AccountTree,
    private readonly askers: Askers,
  ) {}

  /** Everything edge needs to decide who may call, or nothing if it has that already. */
  @MessagePattern(queryPattern('accounts.directory'))
  async directory({ knownVersion, asker, demands }: DirectoryQuery): Promise<DirectoryAnswer> {
    const directory = await this.tree.directory(knownVersion);
    const sharing = asker === undefined ? {} : await this.askers.shareLimits(asker, demands ?? {});
    return { ...(directory && { directory }), ...sharing };
  }

  /** Everything payments needs to decide where payments go, or nothing if it has that already. */
  @MessagePattern(queryPattern('accounts.routing'))
  async routing({ knownVersion }: RoutingQuery): Promise<RoutingAnswer> {
    const directory = await this.tree.routing(knownVersion);
    return directory === undefined ? {} : { directory };
  }

  /** When the schedules of a channel run. */
  @MessagePattern(queryPattern('accounts.schedules'))
  schedules({ entityId }: ScheduleSettingsQuery): Promise<ScheduleSettings> {
    return this.tree.schedules(entityId);
  }
}
