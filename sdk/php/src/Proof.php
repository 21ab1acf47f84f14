<?php

declare(strict_types=1);

namespace SettlementSdk;

/** A signed quote or receipt that is genuine. */
final readonly class Proof
{
    public function __construct(
        /** quote, or receipt of what was paid. */
        public string $type,
        /** The key that signed. */
        public string $kid,
        /** @var array<string, mixed> Texts, whole numbers and null. Amounts are texts in base units, so that nothing rounds them. */
        public array $claims,
    ) {
    }
}
