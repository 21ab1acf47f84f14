<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as EchoAnswer. */
final readonly class EchoAnswer
{
    public function __construct(
        /** The timestamp that was signed, in Unix seconds, as you sent it. */
        public string $timestamp,
        /** The HTTP method, in upper case. */
        public string $method,
        /** The path without the query string. */
        public string $path,
        /** The query string exactly as it was sent, without the question mark. Empty if there was none. */
        public string $query,
        /** The length of the body, in bytes. */
        public int $body_length,
        /** The SHA-256 hash of the body's bytes, in hex. */
        public string $body_sha256,
        /** The SHA-256 hash of the string to sign, in hex. */
        public string $signing_string_sha256,
    ) {
    }

    /**
     * Reads it, for example from the data of an event.
     *
     * @param array<string, mixed> $data
     */
    public static function from(array $data): self
    {
        return new self(
            timestamp: Read::must($data, 'timestamp'),
            method: Read::must($data, 'method'),
            path: Read::must($data, 'path'),
            query: Read::must($data, 'query'),
            body_length: Read::must($data, 'body_length'),
            body_sha256: Read::must($data, 'body_sha256'),
            signing_string_sha256: Read::must($data, 'signing_string_sha256'),
        );
    }
}
