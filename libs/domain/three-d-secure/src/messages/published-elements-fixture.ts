import type { MessageType } from './message-kinds.js';

/**
 * Which elements each message of 2.3.1 has, typed from tables B.1 to B.9 of the EMV 3-D Secure Protocol and
 * Core Functions Specification 2.3.1.1 (May 2023, EMVCo, all rights reserved): the names alone, which
 * the protocol demands of everybody, and no text of it. A second source beside our tables.
 */
export const published: Readonly<Partial<Record<MessageType, string>>> = {
  AReq: `threeDSCompInd threeDSMethodId threeDSRequestorAuthenticationInd
    threeDSRequestorAuthenticationInfo threeDSRequestorChallengeInd threeDSRequestorDecMaxTime
    threeDSRequestorDecReqInd threeDSRequestorID threeDSRequestorName
    threeDSRequestorPriorAuthenticationInfo threeDSRequestorSpcSupport threeDSRequestorURL
    threeDSServerOperatorID threeDSServerRefNumber threeDSServerTransID threeDSServerURL threeRIInd
    acceptLanguage acctType acquirerBIN acquirerCountryCode acquirerCountryCodeSource
    acquirerMerchantID addrMatch appIp broadInfo browserAcceptHeader browserIP browserJavaEnabled
    browserJavascriptEnabled browserLanguage browserColorDepth browserScreenHeight
    browserScreenWidth browserTZ browserUserAgent deviceId userId cardSecurityCode
    cardSecurityCodeStatus cardSecurityCodeStatusSource cardExpiryDate acctID acctInfo acctNumber
    billAddrCity billAddrCountry billAddrLine1 billAddrLine2 billAddrLine3 billAddrPostCode
    billAddrState email homePhone mobilePhone cardholderName shipAddrCity shipAddrCountry
    shipAddrLine1 shipAddrLine2 shipAddrLine3 shipAddrPostCode shipAddrState workPhone
    defaultSdkType deviceBindingStatus deviceBindingStatusSource deviceChannel deviceInfo
    deviceRenderOptions dsReferenceNumber dsTransID dsURL payTokenInd payTokenInfo payTokenSource
    purchaseInstalData mcc merchantCountryCode merchantName merchantRiskIndicator messageCategory
    messageExtension messageType messageVersion multiTransaction notificationURL payeeOrigin
    purchaseAmount purchaseCurrency purchaseExponent purchaseDate recurringAmount recurringCurrency
    recurringExponent recurringDate recurringExpiry recurringFrequency recurringInd sdkAppID
    sdkEncData sdkEphemPubKey sdkMaxTimeout sdkReferenceNumber sdkServerSignedContent sdkTransID
    sdkType sellerInfo spcIncompInd splitSdkType taxId transType trustListStatus
    trustListStatusSource`,
  ARes: `threeDSRequestorAppURLInd threeDSServerTransID acsChallengeMandated acsDecConInd acsOperatorID
    acsReferenceNumber acsRenderingType acsSignedContent acsTransID acsURL authenticationMethod
    authenticationValue broadInfo cardholderInfo cardSecurityCodeStatusSource cardSecurityCodeStatus
    deviceBindingStatus deviceBindingStatusSource deviceInfoRecognisedVersion dsReferenceNumber
    dsTransID eci messageExtension messageType messageVersion sdkTransID spcTransData
    transChallengeExemption transStatus transStatusReason transStatusReasonInfo trustListStatus
    trustListStatusSource webAuthnCredList`,
  CReq: `threeDSRequestorAppURL threeDSServerTransID acsTransID challengeAddCode challengeCancel
    challengeDataEntry challengeDataEntryTwo challengeHTMLDataEntry challengeNoEntry
    challengeWindowSize deviceBindingDataEntry infoContinueIndicator messageExtension messageType
    messageVersion oobAppStatus oobAppURLInd oobContinue resendChallenge sdkCounterStoA sdkTransID
    trustListDataEntry`,
  CRes: `threeDSServerTransID acsCounterAtoS acsTransID acsHTML acsUiType challengeAddLabel
    challengeCompletionInd challengeEntryBox challengeEntryBoxTwo challengeInfoHeader
    challengeInfoLabel challengeInfoText challengeInfoTextIndicator challengeSelectInfo
    deviceBindingInfoText expandInfoLabel expandInfoText infoContinueLabel issuerImage
    messageExtension messageType messageVersion oobAppLabel oobAppURL oobContinueLabel psImage
    resendInformationLabel sdkTransID submitAuthenticationLabel togglePositionInd trustListInfoText
    whyInfoLabel whyInfoText transStatus`,
  PReq: `threeDSServerOperatorID threeDSServerRefNumber threeDSServerTransID cardRangeDataDownloadInd
    messageExtension messageType messageVersion serialNum`,
  PRes: `threeDSServerTransID cardRangeData cardRangeDataFileURL dsProtocolVersions dsTransID dsUrlList
    messageExtension messageType messageVersion readOrder serialNum`,
  RReq: `threeDSServerTransID acsRenderingType acsTransID authenticationMethod authenticationValue
    cardholderInfo challengeCancel challengeErrorReporting deviceBindingStatus
    deviceBindingStatusSource dsTransID eci interactionCounter messageCategory messageExtension
    messageType messageVersion sdkTransID transStatus transStatusReason transStatusReasonInfo
    trustListStatus trustListStatusSource`,
  RRes: `threeDSServerTransID acsTransID dsTransID messageExtension messageType messageVersion
    resultsStatus sdkTransID`,
};
