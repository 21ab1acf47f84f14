<?php

declare(strict_types=1);

/** Runs the tests of the SDK: `php tests/run.php`. */
require __DIR__ . '/support.php';
require __DIR__ . '/client.php';
require __DIR__ . '/callbacks.php';

$failed = 0;
foreach ($tests as $name => $body) {
    try {
        $body();
        echo "ok: $name\n";
    } catch (Throwable $error) {
        $failed++;
        echo "FAILED: $name\n$error\n";
    }
}
echo count($tests) . " tests, $failed failed\n";
exit($failed === 0 ? 0 : 1);
