<?php

declare(strict_types=1);

namespace SettlementSdk;

/** The service, for a partner's program. One is enough for a process: it remembers how far its clock is off. */
final class SettlementClient
{
    use Operations\ClientOperations;

    /**
     * @param string $base_url the service's address: https://api.example.com
     * @throws \InvalidArgumentException for options that no call could be made with; Options describes each of them
     */
    public function __construct(
        string $base_url,
        string $api_key,
        #[\SensitiveParameter] string $api_secret,
        string $brand = 'Service',
        float $timeout = 35.0,
        int $attempts = 4,
        float $longest_wait = 20.0,
    ) {
        $this->connect(new Sender(new Options($base_url, $api_key, $api_secret, $brand, $timeout, $attempts, $longest_wait)));
    }

    /**
     * Any operation without a method of its own, by HTTP method and path. Without an `intent`, a POST gets a new
     * idempotency key, which its attempts share. Numbers with a fraction are a Decimal in the answer.
     *
     * @param array<string, mixed> $query
     */
    public function call(string $method, string $path, array $query = [], mixed $body = null, ?string $intent = null): mixed
    {
        $surface = str_starts_with($path, '/api/v1/') ? 'settlement' : 'partner';
        return $this->sender->send(new Call($surface, $method, $path, query: $query, body: $body, intent: $intent))->body();
    }
}
