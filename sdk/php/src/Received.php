<?php

declare(strict_types=1);

namespace SettlementSdk;

/** The headers and the time of what was received. */
final class Received
{
    /** @var array<string, string> */
    private array $values = [];

    /** @param array<string, string|list<string>> $headers as getallheaders() or a PSR-7 request has them */
    public function __construct(array $headers)
    {
        foreach ($headers as $name => $value) {
            $this->values[strtolower((string) $name)] = (string) (is_array($value) ? $value[0] ?? '' : $value);
        }
    }

    /** @throws CallbackRefused if there is none */
    public function header(string $name): string
    {
        $value = $this->values[strtolower($name)] ?? '';
        return $value === '' ? throw new CallbackRefused("there is no header $name") : $value;
    }

    /** @throws CallbackRefused if it is too old, or of the future */
    public static function refuseOld(string $timestamp, float $tolerance, ?float $now): void
    {
        $isNumber = strlen($timestamp) <= 15 && ctype_digit($timestamp);
        if (!$isNumber || abs(($now ?? microtime(true)) - (int) $timestamp) > $tolerance) {
            throw new CallbackRefused('it is too old, or of a wrong time');
        }
    }
}
