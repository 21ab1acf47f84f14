<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

/** What a request says as LeakedKey. */
final readonly class LeakedKey implements \JsonSerializable
{
    public function __construct(
        /** The API key that was found. It begins with key_live_ or key_test_. */
        public string $api_key,
        /** The secret that was found with it. It begins with sec_live_ or sec_test_. */
        public string $api_secret,
        /** Where it was found, such as the address of a page. The owners of the key see this. */
        public ?string $found_at = null,
    ) {
    }

    /**
     * What is sent: what is null is left out.
     *
     * @return array<string, mixed>
     */
    public function jsonSerialize(): array
    {
        return array_filter([
            'api_key' => $this->api_key,
            'api_secret' => $this->api_secret,
            'found_at' => $this->found_at,
        ], static fn ($value) => $value !== null);
    }
}
