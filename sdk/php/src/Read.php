<?php

declare(strict_types=1);

namespace SettlementSdk;

/** Reads members of answers. */
final class Read
{
    /**
     * @param array<string, mixed> $data
     * @throws UnexpectedAnswer if the member is missing
     */
    public static function must(array $data, string $name): mixed
    {
        return $data[$name] ?? throw new UnexpectedAnswer("the answer has no $name: the service is older than this SDK");
    }

    /**
     * Null if it is null or missing.
     *
     * @param array<string, mixed> $data
     */
    public static function maybe(array $data, string $name, callable $read): mixed
    {
        return isset($data[$name]) ? $read($data[$name]) : null;
    }
}
