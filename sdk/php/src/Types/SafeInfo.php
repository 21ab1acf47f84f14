<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Read;

/** What the service answers as SafeInfo. */
final readonly class SafeInfo
{
    public function __construct(
        /** The address of the Safe. */
        public string $address,
        /** The contract that answers calls that the Safe itself does not know. The zero address means none. */
        public string $fallback_handler,
        /** The contract that may stop a transaction of the Safe. The zero address means none. */
        public string $guard,
        /** The contract whose code the Safe runs. */
        public string $master_copy,
        /**
         * The contracts that may act for the Safe without its owners.
         *
         * @var list<string>
         */
        public array $modules,
        /** The number of transactions that the Safe has executed. */
        public int $nonce,
        /**
         * The addresses that may sign for the Safe.
         *
         * @var list<string>
         */
        public array $owners,
        /** How many owners must sign a transaction. */
        public int $threshold,
        /** The version of the Safe contracts. */
        public string $version,
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
            address: Read::must($data, 'address'),
            fallback_handler: Read::must($data, 'fallback_handler'),
            guard: Read::must($data, 'guard'),
            master_copy: Read::must($data, 'master_copy'),
            modules: Read::must($data, 'modules'),
            nonce: Read::must($data, 'nonce'),
            owners: Read::must($data, 'owners'),
            threshold: Read::must($data, 'threshold'),
            version: Read::must($data, 'version'),
        );
    }
}
