<?php

declare(strict_types=1);

namespace SettlementSdk;

/** Which service, and whose program. */
final readonly class Options
{
    /**
     * @param string $base_url the service's address: https://api.example.com
     * @param string $brand the word in the names of the signing headers
     * @param float $timeout how long one attempt may take, in seconds: longer than the service ever takes, so that it is
     *     the service that gives up first
     * @param int $attempts the most attempts of a call
     * @param float $longest_wait a refusal that asks for a longer wait than this is thrown instead
     * @throws \InvalidArgumentException for options that no call could be made with
     */
    public function __construct(
        public string $base_url,
        public string $api_key,
        #[\SensitiveParameter] public string $api_secret,
        public string $brand = 'Service',
        public float $timeout = 35.0,
        public int $attempts = 4,
        public float $longest_wait = 20.0,
    ) {
        foreach (['base_url', 'api_key', 'api_secret', 'brand'] as $name) {
            if ($this->$name === '') {
                throw new \InvalidArgumentException("$name is missing");
            }
        }
        $base = parse_url($base_url);
        if (!is_array($base) || !in_array($base['scheme'] ?? '', ['http', 'https'], true) || !isset($base['host']) || isset($base['query']) || isset($base['fragment'])) {
            throw new \InvalidArgumentException("base_url is the service's address, such as https://api.example.com, not '$base_url'");
        }
        if (str_ends_with(rtrim($base_url, '/'), '/api/v1')) {
            throw new \InvalidArgumentException("base_url ends before /api/v1: the client adds each operation's path");
        }
        if ($timeout <= 0 || $attempts < 1 || $longest_wait < 0) {
            throw new \InvalidArgumentException('timeout, attempts and longest_wait are not negative, and there is at least one attempt');
        }
    }
}
