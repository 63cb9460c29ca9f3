import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type CustomTransportStrategy, MessagePattern, Server } from '@nestjs/microservices';
import { settled } from './handler-result.js';
import { InfrastructureAway } from './ports.js';

@Controller()
class LedgerController {
  @MessagePattern('Book')
  book(): never {
    throw new InfrastructureAway('the database is away');
  }

  @MessagePattern('Fail')
  fail(): never {
    throw new TypeError('a defect');
  }
}

@Module({ controllers: [LedgerController] })
class LedgerModule {}

class Strategy extends Server implements CustomTransportStrategy {
  override listen(ready: () => void): void {
    ready();
  }
  override close(): void {
    // There is nothing to close.
  }
  override on(): void {
    // Nobody listens.
  }
  override unwrap<T>(): T {
    return this as unknown as T;
  }
  call(pattern: string): Promise<unknown> {
    return settled(this.messageHandlers.get(pattern)?.({}) as Promise<unknown>);
  }
}

describe('a handler of a Nest module', () => {
  it("that throws InfrastructureAway is recognized behind Nest's filters, a defect is not", async () => {
    const strategy = new Strategy();
    const app = await NestFactory.createMicroservice(LedgerModule, { strategy, logger: false });
    await app.listen();
    await expect(strategy.call('Book')).rejects.toBeInstanceOf(InfrastructureAway);
    await expect(strategy.call('Book')).rejects.toThrow('the database is away');
    await expect(strategy.call('Fail')).rejects.not.toBeInstanceOf(InfrastructureAway);
    await app.close();
  });
});
