<?php

declare(strict_types=1);

namespace SettlementSdk;

/** An invalid field of a request. */
final readonly class Fault
{
    public function __construct(
        /** Where it is: /source_amount, or body.phone. */
        public string $at,
        /** What is wrong, as a word. */
        public string $code,
        /** What is wrong, as a sentence. */
        public string $message,
    ) {
    }
}
