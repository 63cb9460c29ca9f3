<?php

declare(strict_types=1);

require __DIR__ . '/opened.php';

const SECRET = '000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f';
const SAMPLE = [
    'iv' => '000000000000000000000000',
    'tag' => 'CE573FB7A41AB78E743180DC83FF09BD',
    'body' => '0A3471C72D9BE49A8520F79C66BBD9A12FF9',
];
$other = str_repeat('f', 64);
$checks = 0;

function check(bool $holds, string $what): void
{
    global $checks;
    $checks += 1;
    if (!$holds) {
        fwrite(STDERR, "FAILED: {$what}\n");
        exit(1);
    }
}

function isRefused(array $changes, array $secrets = [SECRET]): bool
{
    try {
        opened(...[...SAMPLE, ...$changes], secrets: $secrets);
        return false;
    } catch (InvalidArgumentException) {
        return true;
    }
}

$told = ['type' => 'PAYMENT'];
check(opened(...SAMPLE, secrets: [SECRET]) === $told, 'the published sample is read');
$json = json_encode(['encryptedBody' => strtolower(SAMPLE['body'])]);
$inJson = [...SAMPLE, 'body' => $json];
check(opened(...$inJson, secrets: [strtoupper(SECRET)]) === $told, 'in JSON and in either case, too');
check(opened(...SAMPLE, secrets: [$other, SECRET]) === $told, 'either secret is taken');
check(isRefused([], [$other]), 'no other secret is');
foreach (SAMPLE as $part => $hex) {
    for ($bit = 0; $bit < strlen($hex) * 4; $bit += 1) {
        $bytes = hex2bin($hex);
        $bytes[$bit >> 3] = chr(ord($bytes[$bit >> 3]) ^ (1 << ($bit & 7)));
        check(isRefused([$part => bin2hex($bytes)]), "bit {$bit} of {$part} was flipped");
    }
}
check(isRefused(['tag' => substr(SAMPLE['tag'], 0, 8)]), 'a tag that was cut is refused');
check(isRefused(['body' => 'xyz']), 'what is not hexadecimal is refused');
foreach (['', 'abc', substr(SECRET, 2), SECRET . "\n"] as $noSecret) {
    $key = str_pad(ctype_xdigit($noSecret) && strlen($noSecret) % 2 === 0 ? hex2bin($noSecret) : '', 32, "\0");
    $body = openssl_encrypt('{"type":"PAYMENT"}', 'aes-256-gcm', $key, OPENSSL_RAW_DATA, str_repeat("\0", 12), $tag);
    try {
        opened(SAMPLE['iv'], bin2hex($tag), bin2hex($body), [$noSecret]);
        check(false, 'what is no secret opens nothing');
    } catch (LogicException $refused) {
        check(!$refused instanceof InvalidArgumentException, 'and is seen by whoever set it');
    }
}
echo "{$checks} checks passed\n";
