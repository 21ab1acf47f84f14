<?php

declare(strict_types=1);

/** Loads the SDK's classes, for programs without Composer: require this file. */
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'SettlementSdk\\')) {
        $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('SettlementSdk\\'))) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
