<?php

declare(strict_types=1);

namespace SettlementSdk;

/** A callback that is genuine. */
final readonly class VerifiedCallback
{
    public function __construct(
        /** The same in every attempt: do not act on it twice. */
        public string $id,
        /** settlement.executed, withdrawal.failed and so on. */
        public string $event,
        /** @var array<string, mixed> The body as it came. Numbers with a fraction are a Decimal. */
        public array $members,
    ) {
    }

    /**
     * The body by its event: a Types\SettlementExecuted, Types\WithdrawalFailed and so on; the members of an event that this
     * version does not know.
     *
     * @return object|array<string, mixed>
     * @throws UnexpectedAnswer if it lacks what the service promises
     */
    public function body(): object|array
    {
        return Operations\CallbackBodies::read($this->event, $this->members);
    }

    /** Reads the body of a callback whose signature fits. */
    public static function of(string $id, string $body): self
    {
        $members = Json::decode($body);
        if (self::isEvent($members)) {
            throw new CallbackRefused('it is an event: Verifier::event reads it');
        }
        // The end of a settlement names no event: its status does.
        return new self($id, $members['event'] ?? "settlement.{$members['status']}", $members);
    }

    /** Callbacks have no type. */
    public static function isEvent(mixed $members): bool
    {
        return is_array($members) && is_string($members['id'] ?? null) && str_starts_with($members['id'], 'ev_') && is_string($members['type'] ?? null);
    }
}
