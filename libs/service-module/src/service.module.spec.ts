import { describe, expect, it } from '@jest/globals';
import {
  type DynamicModule,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { createLogger, HealthChecks, type Logger } from '@sluice/service';
import { given, made } from './providers.js';
import { CLOCK, LOGGER, METRICS, ServiceModule, WAIT_FOR } from './service.module.js';
import { startModule, TRANSPORT } from './start-module.js';

const logger = createLogger({ service: 'example', level: 'silent' });

let happened: string[];
/** What is to fail. */
let failing: string;

function happens(what: string): void {
  happened.push(what);
  if (what === failing) throw new Error(what);
}

abstract class Part implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  abstract readonly name: string;

  async onModuleInit(): Promise<void> {
    happens(`${this.name} begins`);
  }

  async onApplicationBootstrap(): Promise<void> {
    happens(`${this.name} works`);
  }

  async onApplicationShutdown(): Promise<void> {
    happens(`${this.name} ends`);
  }
}

@Module({})
class StoreModule extends Part {
  readonly name = 'store';
}

@Module({})
class ShopModule extends Part {
  readonly name = 'shop';
}

const transport = {
  listen: (ready: (error?: unknown) => void): void => {
    try {
      happens('transport listens');
      ready();
    } catch (error) {
      ready(error);
    }
  },
  close: () => void happened.push('transport ends'),
};

function shop(): DynamicModule {
  happened = [];
  return {
    module: ShopModule,
    imports: [ServiceModule.of({ logger }), { module: StoreModule }],
    providers: [given(TRANSPORT, transport)],
  };
}

const started = [
  ...['store begins', 'shop begins', 'store works', 'shop works'],
  'transport listens',
];

describe('a module that is started', () => {
  it('begins with what it imports, and takes work last', async () => {
    failing = '';
    await startModule(shop(), logger);
    expect(happened).toEqual(started);
  });

  it('takes no more work first, and ends with what it imports', async () => {
    failing = '';
    const running = await startModule(shop(), logger);
    await Promise.all([running.close(), running.close()]);
    const ended = happened.slice(started.length);
    expect([...new Set(ended)]).toEqual(['transport ends', 'shop ends', 'store ends']);
    expect(ended.filter((what) => what === 'store ends')).toHaveLength(1);
  });

  it('is closed when its start fails, and says why it failed', async () => {
    failing = 'shop begins';
    await expect(startModule(shop(), logger)).rejects.toThrow('shop begins');
    expect(happened).not.toContain('transport listens');
    expect(happened.slice(-2)).toEqual(['shop ends', 'store ends']);
  });

  it('is closed when nothing can listen', async () => {
    failing = 'transport listens';
    await expect(startModule(shop(), logger)).rejects.toThrow('transport listens');
    expect(happened.slice(-2)).toEqual(['shop ends', 'store ends']);
  });

  it('does not end cleanly when a part does not, and the others end all the same', async () => {
    failing = 'shop ends';
    const running = await startModule(shop(), logger);
    await expect(running.close()).rejects.toThrow('shop ends');
    expect(happened.at(-1)).toBe('store ends');
  });
});

describe('the service module', () => {
  it('gives every module what the process has, under the names of its parts', async () => {
    failing = '';
    class Till {
      constructor(readonly parts: { log: Logger; health: HealthChecks }) {}
    }
    const health = new HealthChecks();
    const asked = { log: LOGGER, health: HealthChecks, metrics: METRICS, clock: CLOCK };
    const running = await startModule(
      {
        module: ShopModule,
        imports: [ServiceModule.of({ logger, health })],
        providers: [given(TRANSPORT, transport), made(Till, asked, (parts) => new Till(parts))],
      },
      logger,
    );
    expect(running.get(Till).parts).toMatchObject({ log: logger, health });
    // Nobody waits for what is missing unless the process says how.
    await expect(running.get(WAIT_FOR)('x', () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
  });
});
