<?php

declare(strict_types=1);

/** The web server's program for callbacks: `php -S 127.0.0.1:8080 receiver.php`. CALLBACKS is the folder that keeps them. */

use SettlementSdk\VerifiedCallback;

require_once __DIR__ . '/settings.php';
require_once __DIR__ . '/receive.php';

$folder = getenv('CALLBACKS') ?: __DIR__ . '/callbacks';
if (!is_dir($folder)) {
    mkdir($folder, 0700, true);
}
$handle = function (VerifiedCallback $callback): void {
    // Your work goes here.
    error_log("$callback->event: $callback->id");
};
http_response_code(receive(getallheaders(), file_get_contents('php://input'), setting('CALLBACK_SECRET'), $folder, $handle));
