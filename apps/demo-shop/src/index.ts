export { type DemoShop, type DemoShopOptions, startDemoShop } from './demo-shop.js';
