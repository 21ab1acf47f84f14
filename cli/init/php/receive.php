<?php

declare(strict_types=1);

use SettlementSdk\CallbackRefused;
use SettlementSdk\Verifier;

/**
 * Receives a callback, and returns the status to answer with. It keeps each genuine callback once, as a file of its id in a folder; a copy
 * changes nothing. In production, keep the ids in your database, in the transaction that changes your order.
 *
 * @param array<string, string> $headers
 */
function receive(array $headers, string $body, string $callback_secret, string $folder): int
{
    try {
        // The signature is over the raw bytes, so verify before you parse.
        $callback = (new Verifier([$callback_secret]))->callback($headers, $body);
    } catch (CallbackRefused) {
        return 400;
    }
    $file = "$folder/$callback->id.json";
    if (!file_exists($file) && file_put_contents("$file.draft", $body) !== false) {
        rename("$file.draft", $file);
    }
    return file_exists($file) ? 200 : 500;
}
