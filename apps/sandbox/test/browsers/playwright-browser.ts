import type { Browser, BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { type Key, partsOf, type Place, type ShopperBrowser } from './shopper-browser.js';

/** What takes longer has failed. */
const ACTION_WITHIN_MS = 30_000;

/** Chromium or Firefox. */
export class PlaywrightBrowser implements ShopperBrowser {
  private context: BrowserContext | undefined;
  private page!: Page;

  constructor(private readonly browser: Browser) {}

  /** In a context of its own: nothing is left of what was before. */
  async open(url: string): Promise<void> {
    await this.openWith(url, {});
  }

  async openOnPhone(
    url: string,
    viewport: { readonly width: number; readonly height: number },
  ): Promise<void> {
    await this.openWith(url, { viewport });
  }

  private async openWith(
    url: string,
    options: { readonly viewport?: { readonly width: number; readonly height: number } },
  ): Promise<void> {
    await this.context?.close();
    this.context = await this.browser.newContext(options);
    this.context.setDefaultTimeout(ACTION_WITHIN_MS);
    this.page = await this.context.newPage();
    await this.page.goto(url);
  }

  async back(): Promise<void> {
    await this.page.goBack();
  }

  async click(place: Place): Promise<void> {
    await this.at(place).click();
  }

  async doubleClick(place: Place): Promise<void> {
    await this.at(place).dblclick();
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async press(key: Key): Promise<void> {
    await this.page.keyboard.press(key);
  }

  async selectAll(): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+a');
  }

  async evaluate<T>(expression: string, frame?: string): Promise<T> {
    return (await this.frameAt(frame)).evaluate<T>(expression);
  }

  async followPopup(): Promise<void> {
    const pages = this.page.context().pages();
    this.page =
      pages.find((page) => page !== this.page) ?? (await this.page.context().waitForEvent('page'));
  }

  async closePopup(): Promise<void> {
    await this.page.close();
    this.page = this.context?.pages()[0] ?? this.page;
  }

  async screenshot(): Promise<Buffer> {
    return this.page.screenshot();
  }

  async close(): Promise<void> {
    await this.browser.close();
  }

  private at(place: Place): Locator {
    const { frame, selector } = partsOf(place);
    return frame === undefined
      ? this.page.locator(selector)
      : this.page.frameLocator(frame).locator(selector);
  }

  private async frameAt(selector: string | undefined): Promise<Frame> {
    if (selector === undefined) return this.page.mainFrame();
    const element = await this.page.locator(selector).elementHandle();
    const frame = await element.contentFrame();
    if (frame === null) throw new Error(`There is no frame ${selector}.`);
    return frame;
  }
}
