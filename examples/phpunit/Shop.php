<?php

declare(strict_types=1);

/** How a shop calls the gateway: a flat form, and a result code in the answer. */
final class Shop
{
    private const ENTITY_ID = '8a8294174b7ecb28014b9699220015ca';
    private const ACCESS_TOKEN = 'sluice-demo-access-token-for-sandboxes-only';
    private const CARD = [
        'paymentBrand' => 'VISA',
        'card.number' => '4200000000000000',
        'card.holder' => 'Jane Jones',
        'card.expiryMonth' => '05',
        'card.expiryYear' => '2034',
        'card.cvv' => '123',
    ];

    public function __construct(private readonly string $url)
    {
    }

    /** Charges a card, or reserves the amount with the payment type PA. Null when it timed out. */
    public function pay(array $fields = [], ?string $idempotencyKey = null, float $timeout = 30): ?array
    {
        $wanted = ['paymentType' => 'DB', 'amount' => '92.00', 'currency' => 'EUR'];
        $wanted = [...$wanted, ...self::CARD, ...$fields];
        return $this->send('POST', '/v1/payments', $wanted, $idempotencyKey, $timeout);
    }

    public function capture(string $id, string $amount): array
    {
        $fields = ['paymentType' => 'CP', 'amount' => $amount, 'currency' => 'EUR'];
        return $this->send('POST', "/v1/payments/$id", $fields);
    }

    public function refund(string $id, string $amount): array
    {
        $fields = ['paymentType' => 'RF', 'amount' => $amount, 'currency' => 'EUR'];
        return $this->send('POST', "/v1/payments/$id", $fields);
    }

    /** The payments with the shop's own order number. */
    public function find(string $order): array
    {
        $query = ['entityId' => self::ENTITY_ID, 'merchantTransactionId' => $order];
        return $this->send('GET', '/v1/query?' . http_build_query($query));
    }

    private function send(
        string $method,
        string $path,
        array $fields = [],
        ?string $idempotencyKey = null,
        float $timeout = 30,
    ): ?array {
        $headers = ['Authorization: Bearer ' . self::ACCESS_TOKEN];
        if ($fields !== []) {
            $headers[] = 'Content-Type: application/x-www-form-urlencoded';
            $fields = ['entityId' => self::ENTITY_ID, ...$fields];
        }
        if ($idempotencyKey !== null) {
            $headers[] = "Idempotency-Key: $idempotencyKey";
        }
        $http = [
            'method' => $method,
            'header' => $headers,
            'content' => http_build_query($fields),
            'timeout' => $timeout,
            // A decline is an answer like any other.
            'ignore_errors' => true,
        ];
        $answer = @file_get_contents($this->url . $path, false, stream_context_create(['http' => $http]));
        return $answer === false ? null : json_decode($answer, true, flags: JSON_THROW_ON_ERROR);
    }
}
