import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { accessibilityFaults, startChromium } from './chromium.js';

/** The machine runs other suites meanwhile. */
export const BROWSER_WITHIN_MS = 120_000;

/** What a page sent to the interface. */
interface SentRequest {
  readonly path: string;
  readonly fields: URLSearchParams;
}

/**
 * A visitor of the reference page: each test of the suite that calls this opens the page of the
 * test sandbox in a window of its own, and fails when the page asks for something elsewhere, meets an
 * error or is refused something by its policy.
 */
export class ReferencePageVisit {
  page!: Page;
  /** What a visitor must never meet; empty at the end of each test. */
  readonly faults: string[] = [];
  readonly sent: SentRequest[] = [];
  private readonly sandbox = testSandbox();
  private browser!: Browser;

  /** @param isOpened whether each test begins on the page of parameters, which is long */
  constructor({ isOpened = true }: { readonly isOpened?: boolean } = {}) {
    beforeAll(async () => {
      this.browser = await startChromium();
    }, BROWSER_WITHIN_MS);
    afterAll(async () => {
      await this.browser.close();
    }, BROWSER_WITHIN_MS);
    beforeEach(async () => {
      await this.openWindow();
      if (isOpened) await this.page.goto(`${this.url}/docs`);
    });
    afterEach(async () => {
      await this.page.context().close();
      expect(this.faults).toEqual([]);
    });
  }

  /** The sandbox's. */
  get url(): string {
    return this.sandbox.url;
  }

  /** The parameters that are shown. */
  found(): Locator {
    return this.page.getByRole('article').filter({ visible: true });
  }

  async names(): Promise<string[]> {
    const headings = await this.found().getByRole('heading').allTextContents();
    return headings.map((name) => name.trim());
  }

  async send(): Promise<void> {
    await this.page.getByRole('button', { name: 'Send', exact: true }).click();
  }

  async answerIs(statusAndCode: string): Promise<void> {
    await this.page.getByText(statusAndCode).waitFor();
  }

  /** What axe finds, in short. */
  accessibilityFaults(): Promise<string[]> {
    return accessibilityFaults(this.page);
  }

  private async openWindow(): Promise<void> {
    this.faults.length = 0;
    this.sent.length = 0;
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 900 } });
    this.page = await context.newPage();
    this.page.on('request', (request) => {
      const { origin, protocol, pathname: path } = new URL(request.url());
      if (protocol !== 'data:' && origin !== this.url) this.faults.push(`asked ${request.url()}`);
      if (request.method() === 'POST') {
        this.sent.push({ path, fields: new URLSearchParams(request.postData() ?? '') });
      }
    });
    this.page.on('pageerror', (error) => this.faults.push(error.message));
    this.page.on('console', (message) => {
      const isExpected = message.text().includes('the server responded with a status of 400');
      if (message.type() === 'error' && !isExpected) this.faults.push(message.text());
    });
  }
}
