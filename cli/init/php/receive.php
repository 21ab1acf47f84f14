<?php

declare(strict_types=1);

use SettlementSdk\CallbackRefused;
use SettlementSdk\VerifiedCallback;
use SettlementSdk\Verifier;

/**
 * Receives a callback, and returns the status to answer with. It calls `$handle` once for each genuine callback, and keeps its event and body
 * as a file of its id in a folder; a copy does nothing. In production, keep the ids in your database, in the transaction that changes your
 * order.
 *
 * @param array<string, string> $headers
 * @param callable(VerifiedCallback): void $handle
 */
function receive(array $headers, string $body, string $callback_secret, string $folder, callable $handle): int
{
    try {
        // The signature is over the raw bytes, so verify before you parse.
        $callback = (new Verifier([$callback_secret]))->callback($headers, $body);
    } catch (CallbackRefused) {
        return 400;
    }
    // Of two copies at the same time, the second waits for the first. The lock ends with this request.
    $lock = fopen("$folder/lock", 'c');
    if ($lock === false || !flock($lock, LOCK_EX)) {
        return 500;
    }
    $file = "$folder/$callback->id.json";
    if (!file_exists($file)) {
        $handle($callback);
        file_put_contents("$file.draft", '{"event":' . json_encode($callback->event) . ',"body":' . $body . '}');
        rename("$file.draft", $file);
    }
    return file_exists($file) ? 200 : 500;
}
