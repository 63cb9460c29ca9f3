export {
  type CertificateWish,
  createAuthority,
  issueCertificate,
  type SignedKey,
} from './certificate.js';
