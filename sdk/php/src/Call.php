<?php

declare(strict_types=1);

namespace SettlementSdk;

/** An operation with what it is given. */
final readonly class Call
{
    /**
     * @param string $surface settlement, partner or open
     * @param list<string> $params for the places of the path, in their order
     * @param array<string, mixed> $query what is null is not sent
     * @param mixed $body null: none
     * @param ?string $intent the purpose in the caller's own words, which the idempotency key is derived from
     */
    public function __construct(
        public string $surface,
        public string $method,
        public string $path,
        public array $params = [],
        public array $query = [],
        public mixed $body = null,
        public ?string $intent = null,
    ) {
    }

    /** The path with its ids, whatever is in them. */
    public function target(): string
    {
        $params = $this->params;
        return preg_replace_callback('/\{\w+\}/', static function () use (&$params): string {
            $id = (string) array_shift($params);
            if (in_array($id, ['', '.', '..'], true)) {
                throw new \InvalidArgumentException("'$id' is no id");
            }
            return rawurlencode($id);
        }, $this->path);
    }

    public function queryText(): string
    {
        $parts = [];
        foreach ($this->query as $name => $value) {
            $text = $value instanceof \DateTimeInterface ? Json::instant($value) : $value;
            if ($text !== null) {
                $parts[] = rawurlencode((string) $name) . '=' . rawurlencode((string) $text);
            }
        }
        return implode('&', $parts);
    }

    /**
     * The same for each attempt of a POST, null for others. Without an intent a later call has another one, so that a
     * stored refusal (approval_pending, for example) is not its answer for a day.
     */
    public function idempotencyKey(string $path): ?string
    {
        if ($this->intent === '') {
            throw new \InvalidArgumentException('an intent says something');
        }
        if ($this->method !== 'POST' || $this->surface === 'open') {
            return null;
        }
        return 'sdk-' . hash('sha256', "$path\n" . ($this->intent ?? Signing::nonce()));
    }
}
