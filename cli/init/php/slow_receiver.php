<?php

declare(strict_types=1);

/** A receiver whose work takes a while, and leaves a line: the tests send it two copies at the same time. */

use SettlementSdk\VerifiedCallback;

require_once __DIR__ . '/settings.php';
require_once __DIR__ . '/receive.php';

$folder = getenv('CALLBACKS');
http_response_code(receive(getallheaders(), file_get_contents('php://input'), setting('CALLBACK_SECRET'), $folder, function (VerifiedCallback $callback) use ($folder): void {
    usleep(100_000);
    file_put_contents("$folder/work", "1\n", FILE_APPEND);
}));
