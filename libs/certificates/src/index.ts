export {
  type CertificateWish,
  createAuthority,
  issueCertificate,
  type SignedKey,
} from './certificate.js';
export { createMarkedCertificate, type Mark, type MarkedWish } from './marked-certificate.js';
