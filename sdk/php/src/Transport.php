<?php

declare(strict_types=1);

namespace SettlementSdk;

/** Sends one request with ext-curl. */
final class Transport
{
    public function __construct(private readonly float $timeout)
    {
    }

    /**
     * Each attempt has its own connection: curl repeats a request on a kept one that broke, with a nonce that is used up.
     *
     * @param array<string, string> $headers
     * @throws Unanswered if it is unknown whether the request arrived
     */
    public function attempt(string $method, string $url, array $headers, string $body): Answer
    {
        $received = [];
        $handle = curl_init();
        curl_setopt_array($handle, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => ['Expect:', ...array_map(static fn ($name, $value) => "$name: $value", array_keys($headers), $headers)],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_FRESH_CONNECT => true,
            CURLOPT_FORBID_REUSE => true,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => max(1, (int) ($this->timeout * 1_000)),
            CURLOPT_HEADERFUNCTION => static function ($handle, string $line) use (&$received): int {
                // The last answer's: one before it may only say that more follows.
                if (str_starts_with($line, 'HTTP/')) {
                    $received = [];
                }
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $received[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        if ($body !== '' || $method === 'POST') {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $body);
        }
        $text = curl_exec($handle);
        if (!is_string($text)) {
            throw new Unanswered("$method $url: no answer: " . curl_error($handle));
        }
        return new Answer(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $received, $text);
    }
}
