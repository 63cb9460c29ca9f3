/** Interface 2.17: an external server's indicator of an authentication comes with its cryptogram. */
export const proofOfIndicator = {
  key: /^threeDSecure\.verificationId$/,
  holds: [
    ...['threeDSecure.eci=05', 'threeDSecure.eci=02', 'threeDSecure.eci=06&paymentBrand=VISA'],
    ...['threeDSecure.eci=01&paymentBrand=MASTER', 'threeDSecure.eci=05&paymentBrand=MADA'],
    'threeDSecure.eci=02&card.number=5454545454545454',
  ],
  rests: [
    ...['', 'threeDSecure.eci=07', 'threeDSecure.eci=08&paymentBrand=VISA'],
    // An exemption, and what follows the first payment of a series.
    ...['06', '07'].map((eci) => `threeDSecure.eci=${eci}&paymentBrand=MASTER`),
    'threeDSecure.authenticationStatus=Y&paymentBrand=VISA',
  ],
} as const;
