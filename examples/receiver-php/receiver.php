<?php

declare(strict_types=1);

// A receiver of webhooks: answers 200 once the notification is kept; whatever else is answered, it comes again.
//   WEBHOOK_SECRETS=<64 hexadecimal digits>[,<the one before>] php -S 127.0.0.1:3000 receiver.php
require __DIR__ . '/opened.php';

try {
    $notification = opened(
        $_SERVER['HTTP_X_INITIALIZATION_VECTOR'] ?? '',
        $_SERVER['HTTP_X_AUTHENTICATION_TAG'] ?? '',
        file_get_contents('php://input', length: 1_048_576),
        explode(',', (string) getenv('WEBHOOK_SECRETS')),
    );
} catch (InvalidArgumentException | JsonException) {
    http_response_code(401);
    return;
}
// Keep it here.
error_log($notification['type'] . ' ' . ($notification['payload']['id'] ?? ''));
http_response_code(200);
