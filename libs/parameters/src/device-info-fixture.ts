/** What an SDK says, as a merchant sends it in `threeDSecure.deviceInfo`. */
export const saidBySdk = {
  messageVersion: '2.2.0',
  sdkTransID: '6f2d5f9c-8d5e-4f9c-9d1c-2f6a4a3f0002',
  sdkAppID: '6f2d5f9c-8d5e-4f9c-9d1c-2f6a4a3f0001',
  sdkReferenceNumber: '3DS_LOA_SDK_EXAMPLE_020200_00001',
  sdkEncData: 'eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMTI4R0NNIn0.a.b.c.d',
  sdkEphemPubKey: {
    ...{ kty: 'EC', crv: 'P-256' },
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  },
  sdkMaxTimeout: '05',
} as const;
