<?php

declare(strict_types=1);

const SECRET_DIGITS = '/\A[0-9a-f]{64}\z/i';

/**
 * What a notification says. Needs PHP 8.1 with its extension openssl.
 *
 * @param list<string> $secrets while a secret is rotated: the new one and the one before
 * @throws LogicException for what is no secret
 * @throws InvalidArgumentException unless it is exactly as somebody with a secret has sent it
 */
function opened(string $iv, string $tag, string $body, array $secrets): array
{
    foreach ($secrets as $secret) {
        // openssl_decrypt would fill up a shorter one with zeros, and anybody has those.
        if (preg_match(SECRET_DIGITS, $secret) !== 1) {
            throw new LogicException('a secret has 64 hexadecimal digits: look at WEBHOOK_SECRETS');
        }
    }
    $hex = str_starts_with($body, '{') ? (json_decode($body, true)['encryptedBody'] ?? '') : $body;
    [$ivBytes, $tagBytes, $encrypted] = array_map('bytesOf', [$iv, $tag, $hex]);
    // A short tag is easy to guess, and openssl_decrypt would take it.
    if (strlen($ivBytes) !== 12 || strlen($tagBytes) !== 16) {
        throw new InvalidArgumentException('not a notification');
    }
    foreach ($secrets as $secret) {
        $key = bytesOf($secret);
        $text = openssl_decrypt($encrypted, 'aes-256-gcm', $key, OPENSSL_RAW_DATA, $ivBytes, $tagBytes);
        if ($text !== false) {
            return json_decode($text, true, 512, JSON_THROW_ON_ERROR);
        }
    }
    throw new InvalidArgumentException('not encrypted with a secret of ours');
}

function bytesOf(mixed $hex): string
{
    if (!is_string($hex) || strlen($hex) % 2 !== 0 || preg_match('/\A[0-9a-f]*\z/i', $hex) !== 1) {
        throw new InvalidArgumentException('not hexadecimal');
    }
    return hex2bin($hex);
}
