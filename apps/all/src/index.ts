export { type AppDeclaration, apps, declarations } from './apps.js';
