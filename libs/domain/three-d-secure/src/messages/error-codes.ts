/** Why a message is not taken (EMV 3-D Secure, table A.4): the code, and what it is called. */
export const errorDescriptions = {
  '101': 'Message Received Invalid',
  '102': 'Message Version Number Not Supported',
  '103': 'Sent Messages Limit Exceeded',
  '201': 'Required Data Element Missing',
  '202': 'Critical Message Extension Not Recognised',
  '203': 'Format or value of one or more Data Elements is Invalid according to the Specification',
  '204': 'Duplicate Data Element',
  '205': 'Card Range Overlap',
  '206': 'Card Range Action Indicator',
  '207': 'Value in the Reserved Value range',
  '301': 'Transaction ID Not Recognised',
  '302': 'Data Decryption Failure',
  '303': 'Access Denied, Invalid Endpoint',
  '304': 'ISO Code Invalid',
  '305': 'Transaction Data Not Valid',
  '306': 'Merchant Category Code (MCC) Not Valid for Payment System',
  '307': 'Serial Number Not Valid',
  '308': 'Signature Verification Failure',
  '309': 'Validation against content security policies Failure',
  '310': 'Incorrect Cryptographic Algorithm',
  '311': 'Incorrect kid',
  '312': 'Duplicate message',
  '313': 'Inconsistent RReq message',
  '314': 'Multiple CReq messages not supported',
  '315': 'CReq message received after the RReq message',
  '401': 'Certificate Error',
  '402': 'Transaction Timed Out',
  '403': 'Transient System Failure',
  '404': 'Permanent System Failure',
  '405': 'System Connection Failure',
} as const;

/** One of them. */
export type ErrorCode = keyof typeof errorDescriptions;

/** All of them. */
export const errorCodes = Object.keys(errorDescriptions) as readonly ErrorCode[];

/** Who found the error: the app of the shopper, a 3-D Secure server, a directory server, an ACS. */
export const errorComponents = ['C', 'S', 'D', 'A'] as const;

/** One of them. */
export type ErrorComponent = (typeof errorComponents)[number];
