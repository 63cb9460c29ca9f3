// `npm run manifests`: renders every overlay of `k8s/` and checks what comes out, against the
// definitions of Kubernetes and the operators and against our own rules. `-- --install-missing`
// builds kustomize first where neither it nor kubectl is.
import './ensure-packages.mjs';
import { build } from './build.mjs';

await build();
await import(new URL('./manifests/dist/main.js', import.meta.url).href);
