export { referencePage } from './declaration.js';
export {
  ReferencePageModule,
  type ReferencePageOptions,
  type RunningReferencePage,
} from './reference-page.module.js';
