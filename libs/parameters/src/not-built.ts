/** Names between spaces; one to a line would make this a file of 500 lines. */
const names = (text: string): readonly string[] => text.trim().split(/\s+/u);

/**
 * Names of the interface that no table serves yet, by section: accepted, not stored and not checked
 * until their tables come (D-38). A spec compares the list with the interface's parameters row by
 * row, so a new table takes its names out of here. Wallet names stand for the interface's walletA,
 * walletB and walletC; the third is our choice (D-53). The six networks are written out.
 */
export const notBuilt: Readonly<Record<string, readonly string[]>> = {
  '2.5': names(`
    applePay.paymentToken applePay.cardNetwork applePay.cardType applePay.source
    googlePay.paymentToken googlePay.source samsungPay.paymentToken samsungPay.source
  `),
  '2.6': names(`
    virtualAccount.accountId
  `),
  '2.7': names(`
    bankAccount.holder bankAccount.bankName bankAccount.number bankAccount.iban
    bankAccount.bankCode bankAccount.bic bankAccount.country bankAccount.mandate.id
    bankAccount.mandate.dateOfSignature transactionDueDate
  `),
  '2.8': names(`
    tokenAccount.number tokenAccount.type tokenAccount.expiryMonth tokenAccount.expiryYear
    tokenAccount.cryptogram tokenAccount.dtvc
  `),
  '2.9': names(`
    customer.merchantCustomerId customer.givenName customer.middleName customer.surname
    customer.sex customer.birthDate customer.phone customer.mobile customer.workPhone
    customer.email customer.companyName customer.identificationDocType
    customer.identificationDocId customer.ip customer.merchantReference customer.salutation
    customer.language customer.category customer.browserFingerprint.id
    customer.browserFingerprint.value customer.browser.acceptHeader customer.browser.language
    customer.browser.screenHeight customer.browser.screenWidth customer.browser.timezone
    customer.browser.userAgent customer.browser.javaEnabled customer.browser.screenColorDepth
    customer.browser.challengeWindow customer.browser.deviceId customer.app.deviceId
    customer.status shipping.customer.merchantCustomerId shipping.customer.givenName
    shipping.customer.middleName shipping.customer.surname shipping.customer.sex
    shipping.customer.birthDate shipping.customer.phone shipping.customer.mobile
    shipping.customer.workPhone shipping.customer.email shipping.customer.companyName
    shipping.customer.identificationDocType shipping.customer.identificationDocId
    shipping.customer.ip shipping.customer.merchantReference shipping.customer.salutation
    shipping.customer.language shipping.customer.category
    shipping.customer.browser.acceptHeader shipping.customer.browser.language
    shipping.customer.browser.screenHeight shipping.customer.browser.screenWidth
    shipping.customer.browser.timezone shipping.customer.browser.userAgent
    shipping.customer.browser.javaEnabled shipping.customer.browser.screenColorDepth
    shipping.customer.browser.challengeWindow shipping.customer.status
  `),
  '2.10': names(`
    billing.street1 billing.street2 billing.houseNumber1 billing.houseNumber2 billing.city
    billing.state billing.postcode billing.country billing.normalized billing.validationStatus
    merchant.billing.street1 merchant.billing.street2 merchant.billing.houseNumber1
    merchant.billing.houseNumber2 merchant.billing.city merchant.billing.state
    merchant.billing.postcode merchant.billing.country merchant.billing.normalized
    merchant.billing.validationStatus merchant.billing.givenName merchant.billing.surname
    merchant.billing.middleName merchant.billing.companyName merchant.billing.phone
    merchant.billing.workPhone merchant.billing.mobile merchant.billing.email
  `),
  '2.11': names(`
    shipping.street1 shipping.street2 shipping.houseNumber1 shipping.houseNumber2
    shipping.city shipping.state shipping.postcode shipping.country shipping.method
    shipping.cost shipping.comment shipping.expectedDate shipping.logisticsProvider
    shipping.trackingNumber shipping.returnTrackingNumber shipping.normalized
    shipping.validationStatus shipping.warehouse shipping.preference shipping.middleName
    shipping.companyName shipping.phone shipping.mobile shipping.workPhone shipping.email
    shipping.type merchant.shipping.street1 merchant.shipping.street2
    merchant.shipping.houseNumber1 merchant.shipping.houseNumber2 merchant.shipping.city
    merchant.shipping.state merchant.shipping.postcode merchant.shipping.country
    merchant.shipping.method merchant.shipping.cost merchant.shipping.comment
    merchant.shipping.expectedDate merchant.shipping.logisticsProvider
    merchant.shipping.trackingNumber merchant.shipping.returnTrackingNumber
    merchant.shipping.normalized merchant.shipping.validationStatus
    merchant.shipping.warehouse merchant.shipping.preference merchant.shipping.middleName
    merchant.shipping.companyName merchant.shipping.phone merchant.shipping.mobile
    merchant.shipping.workPhone merchant.shipping.email merchant.shipping.type
  `),
  '2.12': names(`
    corporate.name corporate.description corporate.street corporate.address corporate.city
    corporate.state corporate.postCode corporate.suite corporate.postboxNumber
    corporate.purchase corporate.phone corporate.fax corporate.vatId
  `),
  '2.13': names(`
    sender.name sender.givenName sender.middleName sender.surname sender.birthDate
    sender.phone sender.accountNumber sender.street sender.city sender.state sender.country
    sender.postcode sender.accountNumberType sender.sourceOfFunds sender.entityType
    sender.nationality sender.occupation sender.birthCountry sender.identificationType
    sender.identificationValue sender.identificationCountry recipient.givenName
    recipient.middleName recipient.surname recipient.birthDate recipient.phone
    recipient.accountNumber recipient.street recipient.city recipient.state recipient.country
    recipient.postcode recipient.accountNumberType recipient.nationality
    recipient.identificationType recipient.identificationValue recipient.identificationCountry
    recipient.entityType recipient.relationship recipient.occupation recipient.birthCountry
  `),
  '2.14': names(`
    merchant.name merchant.mcc merchant.street merchant.city merchant.state
    merchant.countryCode merchant.country merchant.postcode merchant.geographicCoordinates
    merchant.serviceLocationCity merchant.serviceLocationState
    merchant.serviceLocationCountryCode merchant.serviceLocationPostCode
    merchant.serviceLocationGeographicCoordinates merchant.additionalContact merchant.phone
    merchant.customerContactPhone merchant.websiteId merchant.url merchant.partnerIdCode
    merchant.isoId merchant.payFacId merchant.payFacName merchant.submerchantId
    merchant.marketplaceId merchant.taxId merchant.data[key] merchant.foreignRetailIndicator
    merchant.legalName merchant.app.schemeUrl
  `),
  '2.15': names(`
    cart.items[n].name cart.items[n].merchantItemId cart.items[n].quantity cart.items[n].type
    cart.items[n].sku cart.items[n].currency cart.items[n].description
    cart.items[n].commodityCode cart.items[n].commodityDescription cart.items[n].originalPrice
    cart.items[n].price cart.items[n].totalAmount cart.items[n].taxAmount
    cart.items[n].totalTaxAmount cart.items[n].tax cart.items[n].taxCategory
    cart.items[n].shipping cart.items[n].discount cart.items[n].giftMessage
    cart.items[n].shippingMethod cart.items[n].shippingInstructions
    cart.items[n].shippingTrackingNumber cart.items[n].quantityUnit cart.items[n].productUrl
    cart.items[n].imageUrl cart.items[n].totalDiscountAmount cart.items[n].productCode
    cart.items[n].partNumber cart.items[n].itemNumber cart.items[n].vatReferenceNumber
    cart.items[n].sellerId cart.items[n].recipient.salutation
    cart.items[n].recipient.firstName cart.items[n].recipient.lastName
    cart.items[n].recipient.middleName cart.items[n].recipient.apartment
    cart.items[n].recipient.street cart.items[n].recipient.address
    cart.items[n].recipient.city cart.items[n].recipient.state
    cart.items[n].recipient.postcode cart.items[n].recipient.country
    cart.items[n].recipient.phone cart.items[n].recipient.email cart.items[n].deliveryDate
    cart.payments[n].name cart.payments[n].type cart.payments[n].amount
    cart.payments[n].currency cart.payments[n].status cart.payments[n].brand
    cart.payments[n].primary marketPlace.sellers[n].id marketPlace.sellers[n].amount
    airline.totalTaxAmount airline.totalFeesAmount airline.totalFareAmount
    airline.ticketIssueDate airline.ticketIssueAddress airline.thirdPartyBooking
    airline.bookingtype airline.ticketDeliveryMethod airline.bookingRefNum airline.agentName
    airline.agentCode airline.passengers[n].type airline.passengers[n].name
    airline.passengers[n].ticketRestricted airline.passengers[n].ticketNumber
    airline.passengers[n].status airline.passengers[n].phone
    airline.passengers[n].frequentFlyerNumber airline.passengers[n].email
    airline.passengers[n].dob airline.passengers[n].checkDigit
    airline.passengers[n].residenceCountry airline.passengers[n].legs[n].taxAmount
    airline.passengers[n].legs[n].feesAmount airline.passengers[n].legs[n].fareAmount
    airline.passengers[n].legs[n].departureTaxAmount
    airline.passengers[n].legs[n].departureDate airline.passengers[n].legs[n].arrivalDate
    airline.passengers[n].legs[n].ticketNumber airline.passengers[n].legs[n].stopOverAllowed
    airline.passengers[n].legs[n].restrictions airline.passengers[n].legs[n].flightNumber
    airline.passengers[n].legs[n].fareBasis airline.passengers[n].legs[n].exchangeTicketNum
    airline.passengers[n].legs[n].departureCountry
    airline.passengers[n].legs[n].departureAirport airline.passengers[n].legs[n].airlineName
    airline.passengers[n].legs[n].airlineCode airline.passengers[n].legs[n].departureTime
    airline.passengers[n].legs[n].arrivalCountry airline.passengers[n].legs[n].arrivalAirport
    airline.passengers[n].legs[n].arrivalTime airline.passengers[n].legs[n].couponNumber
    airline.passengers[n].legs[n].classOfService airline.passengers[n].legs[n].carrierCode
    airline.passengers[n].legs[n].timeToDeparture
  `),
  '2.16': names(`
    createRegistration overrideHolder recurringMigration.paymentType recurringMigration.amount
    recurringMigration.requestTimestamp recurringMigration.connectorTxId1
    recurringMigration.connectorTxId2 recurringMigration.connectorTxId3
  `),
  '2.17': names(`
    threeDSecure.amount threeDSecure.currency threeDSecure.deviceInfo
    threeDSecure.merchant.name threeDSecure.merchant.url threeDSecure.merchant.country
    threeDSecure.v2.visa.requestorId threeDSecure.v2.mastercard.requestorId
    threeDSecure.v2.amex.requestorId threeDSecure.v2.diners.requestorId
    threeDSecure.v2.jcb.requestorId threeDSecure.v2.cartebancaire.requestorId
    threeDSecure.v2.visa.requestorName threeDSecure.v2.mastercard.requestorName
    threeDSecure.v2.amex.requestorName threeDSecure.v2.diners.requestorName
    threeDSecure.v2.jcb.requestorName threeDSecure.v2.cartebancaire.requestorName
    threeDSecure.channel threeDSecure.npa threeDSecure.decoupled threeDSecure.threeRIInd
    threeDSecure.authenticationInd threeDSecure.disable threeDSecure.eci
    threeDSecure.verificationId threeDSecure.authenticationStatus threeDSecure.dsTransactionId
    threeDSecure.acsTransactionId threeDSecure.challengeMandatedIndicator threeDSecure.version
    threeDSecure.authType threeDSecure.transactionStatusReason threeDSecure.challengeIndicator
    threeDSecure.exemptionFlag threeDSecure.schemeData[CB-ITEMSNB]
    threeDSecure.schemeData[CB-SCORE_MERCHANT] threeDSecure.schemeData[CB-USECASE]
  `),
  '2.18': names(`
    notificationUrl giftCard.number giftCard.pin giftCard.holder giftCard.message
    giftCard.type risk.channelId risk.serviceId risk.amount risk.orderTimestamp risk.brand
    risk.parameters[name] risk.merchantWebsite risk.accountToken job.name job.year job.month
    job.dayOfMonth job.dayOfWeek job.hour job.minute job.second job.startDate job.endDate
    job.noticeUnit job.noticeNumber job.noticeCallable job.durationUnit job.durationNumber
    job.expression
  `),
  '2.19 reporting': names(`
    sortValue sortOrder
  `),
};
