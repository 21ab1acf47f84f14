<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

/** What a request says as MemberCreate. */
final readonly class MemberCreate implements \JsonSerializable
{
    public function __construct(
        /** Your own id for the member, unique among your members. */
        public string $external_user_id,
        /** The phone number in E.164 form, such as +254712345678, unique among your members. Spaces, dots, dashes and brackets are ignored. */
        public string $phone,
        /** The member's name. */
        public ?string $name = null,
        /** The member's e-mail address. */
        public ?string $email = null,
        /** A wallet that the member already has. Without it, a Safe is deployed for the member. */
        public ?string $wallet_address = null,
        /** The blockchain network of the wallet or the Safe, as a CAIP-2 id. The default is the first chain of the installation. */
        public ?string $chain = null,
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
            'external_user_id' => $this->external_user_id,
            'phone' => $this->phone,
            'name' => $this->name,
            'email' => $this->email,
            'wallet_address' => $this->wallet_address,
            'chain' => $this->chain,
        ], static fn ($value) => $value !== null);
    }
}
