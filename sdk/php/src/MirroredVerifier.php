<?php

declare(strict_types=1);

namespace SettlementSdk;

/** Checks the other signature of callbacks, in the manner of requests, for those who already check requests so. */
final class MirroredVerifier
{
    /** @throws \InvalidArgumentException if the secret is missing */
    public function __construct(
        #[\SensitiveParameter] private readonly string $api_secret,
        private readonly string $brand = 'Service',
        private readonly float $tolerance = 300.0,
        private readonly ?float $now = null,
    ) {
        if ($api_secret === '') {
            throw new \InvalidArgumentException('api_secret is missing');
        }
    }

    /**
     * Reads a callback, given the raw bytes of its body, the request's method and its target, such as /callbacks?shop=1.
     *
     * @param array<string, string|list<string>> $headers as getallheaders() or a PSR-7 request has them
     * @throws CallbackRefused if it is not genuine, or an event
     */
    public function callback(array $headers, string $body, string $method, string $target): VerifiedCallback
    {
        $received = new Received($headers);
        $timestamp = $received->header("x-{$this->brand}-timestamp");
        Received::refuseOld($timestamp, $this->tolerance, $this->now);
        [$path, $query] = explode('?', $target, 2) + [1 => ''];
        $wanted = Signing::sign($this->api_secret, $timestamp, $method, $path, $query, $body);
        if (!hash_equals($wanted, strtolower($received->header("x-{$this->brand}-signature")))) {
            throw new CallbackRefused('the signature does not fit');
        }
        return VerifiedCallback::of($received->header('webhook-id'), $body);
    }
}
