<?php

declare(strict_types=1);

namespace SettlementSdk;

/** Request signatures: HMAC-SHA256 of timestamp, method, path, query and body, joined by newlines. */
final class Signing
{
    /** The signed bytes. Path and query are as they are sent, the query without its question mark. */
    public static function bytes(string $timestamp, string $method, string $path, string $query, string $body): string
    {
        return implode("\n", [$timestamp, $method, $path, $query, $body]);
    }

    /** The lower-case hex HMAC-SHA256 of a request, or of a callback's mirrored signature. */
    public static function sign(string $secret, string $timestamp, string $method, string $path, string $query, string $body): string
    {
        return hash_hmac('sha256', self::bytes($timestamp, $method, $path, $query, $body), $secret);
    }

    /** A random UUID, version 4. */
    public static function nonce(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
