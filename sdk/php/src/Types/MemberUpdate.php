<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

use SettlementSdk\Remove;

/** What a request says as MemberUpdate. */
final readonly class MemberUpdate implements \JsonSerializable
{
    public function __construct(
        /** The phone number in E.164 form, such as +254712345678, unique among your members. Spaces, dots, dashes and brackets are ignored. */
        public ?string $phone = null,
        /** The new name. Null removes the name. If absent, it stays unchanged. */
        public string|Remove|null $name = null,
        /** The new e-mail address. Null removes it. If absent, it stays unchanged. */
        public string|Remove|null $email = null,
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
            'phone' => $this->phone,
            'name' => $this->name,
            'email' => $this->email,
        ], static fn ($value) => $value !== null);
    }
}
