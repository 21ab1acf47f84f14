<?php

declare(strict_types=1);

use SettlementSdk\SettlementClient;

require_once __DIR__ . '/settlement-sdk-php-SDK_VERSION/autoload.php';

/** A setting of the file .env. */
function setting(string $name): string
{
    static $settings = null;
    $settings ??= parse_ini_file(__DIR__ . '/.env', false, INI_SCANNER_RAW);
    return $settings[$name] ?? throw new RuntimeException("Set $name in the file .env.");
}

/** The client of your partner. */
function create_client(): SettlementClient
{
    return new SettlementClient(setting('SETTLEMENT_URL'), setting('API_KEY'), setting('API_SECRET'), setting('BRAND'));
}
