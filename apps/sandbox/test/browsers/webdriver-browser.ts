import { By, error, Key as Code, until, type WebDriver, type WebElement } from 'selenium-webdriver';
import { type Key, partsOf, type Place, type ShopperBrowser } from './shopper-browser.js';

/** What takes longer has failed. */
const ACTION_WITHIN_MS = 30_000;
/** Until an element that is covered, moves or is drawn anew takes a click. */
const AGAIN_AFTER_MS = 50;
const CODES: Readonly<Record<Key, string>> = {
  ...{ Tab: Code.TAB, Enter: Code.ENTER, ArrowDown: Code.ARROW_DOWN },
};
const PASSING = [
  error.ElementClickInterceptedError,
  error.ElementNotInteractableError,
  error.NoSuchElementError,
  error.NoSuchFrameError,
  error.NoSuchWindowError,
  error.StaleElementReferenceError,
] as const;

/** WebKit, or whatever else speaks W3C WebDriver. */
export class WebDriverBrowser implements ShopperBrowser {
  /** The window that all begins in. */
  private first: string | undefined;

  /** @param end ends what the driver runs in */
  constructor(
    private readonly driver: WebDriver,
    private readonly end: () => Promise<void>,
  ) {}

  async open(url: string): Promise<void> {
    await this.closeOthers();
    await this.driver.get(url);
  }

  /** A window without bars: those of the whole browser need more room than a phone has. */
  async openOnPhone(
    url: string,
    { width, height }: { readonly width: number; readonly height: number },
  ): Promise<void> {
    const features = `toolbar=no,location=no,width=${width},height=${height}`;
    const opener = `<button onclick="window.open('about:blank', '', '${features}')">Phone</button>`;
    await this.open(`data:text/html,${encodeURIComponent(opener)}`);
    await this.click('button');
    await this.followPopup();
    await this.driver.get(url);
  }

  async back(): Promise<void> {
    await this.driver.navigate().back();
  }

  async click(place: Place): Promise<void> {
    await this.act(place, (element) => element.click());
  }

  async doubleClick(place: Place): Promise<void> {
    await this.act(place, (element) => this.driver.actions().doubleClick(element).perform());
  }

  async type(text: string): Promise<void> {
    await this.driver.switchTo().defaultContent();
    await this.driver.actions().sendKeys(text).perform();
  }

  async press(key: Key): Promise<void> {
    await this.type(CODES[key]);
  }

  async selectAll(): Promise<void> {
    await this.driver.switchTo().defaultContent();
    const { CONTROL } = Code;
    await this.driver.actions().keyDown(CONTROL).sendKeys('a').keyUp(CONTROL).perform();
  }

  async evaluate<T>(expression: string, frame?: string): Promise<T> {
    await this.goInto(frame);
    return this.driver.executeScript<T>(`return (${expression});`);
  }

  async followPopup(): Promise<void> {
    const isOpen = async () => (await this.driver.getAllWindowHandles()).length > 1;
    await this.driver.wait(isOpen, ACTION_WITHIN_MS);
    const handles = await this.driver.getAllWindowHandles();
    const popup = handles.find((handle) => handle !== this.first);
    if (popup !== undefined) await this.driver.switchTo().window(popup);
  }

  async closePopup(): Promise<void> {
    await this.closeOthers();
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from(await this.driver.takeScreenshot(), 'base64');
  }

  async close(): Promise<void> {
    await this.driver.quit();
    await this.end();
  }

  private async closeOthers(): Promise<void> {
    this.first ??= await this.driver.getWindowHandle();
    for (const handle of await this.driver.getAllWindowHandles()) {
      if (handle === this.first) continue;
      await this.driver.switchTo().window(handle);
      await this.driver.close();
    }
    await this.driver.switchTo().window(this.first);
  }

  private async goInto(frame: string | undefined): Promise<void> {
    await this.driver.switchTo().defaultContent();
    if (frame === undefined) return;
    await this.driver.switchTo().frame(await this.driver.findElement(By.css(frame)));
  }

  /** Once the element is there, shown and enabled; as it may be drawn anew meanwhile, more than once. */
  private async act(place: Place, action: (element: WebElement) => Promise<void>): Promise<void> {
    const { frame, selector } = partsOf(place);
    const giveUpAt = Date.now() + ACTION_WITHIN_MS;
    for (;;) {
      try {
        await this.goInto(frame);
        const element = await this.driver.findElement(By.css(selector));
        await this.driver.wait(until.elementIsEnabled(element), ACTION_WITHIN_MS);
        await action(element);
        return;
      } catch (failure) {
        const isPassing = PASSING.some((kind) => failure instanceof kind);
        if (!isPassing || Date.now() > giveUpAt) throw failure;
        await new Promise((again) => setTimeout(again, AGAIN_AFTER_MS));
      }
    }
  }
}
