<?php

declare(strict_types=1);

namespace SettlementSdk;

/** Sends calls. It remembers how far the service's clock is ahead; nothing else is kept between calls. */
final class Sender
{
    private const FIRST_WAIT = 0.25;
    private const MOST_PER_PAGE = 100;
    private const REASONS_TO_REPEAT = [408, 429, 500, 502, 503, 504];

    private float $ahead = 0.0;
    private readonly string $origin;
    private readonly string $base;
    private readonly Transport $transport;

    public function __construct(private readonly Options $options)
    {
        $this->base = rtrim((string) parse_url($options->base_url, PHP_URL_PATH), '/');
        $whole = rtrim($options->base_url, '/');
        $this->origin = substr($whole, 0, strlen($whole) - strlen($this->base));
        $this->transport = new Transport($options->timeout);
    }

    /**
     * Makes attempts until there is a final answer. Each is signed again; all share the body and the idempotency key.
     *
     * @throws Refused
     * @throws Unanswered
     */
    public function send(Call $call): Answer
    {
        $path = $call->target();
        $body = $call->body === null ? '' : Json::encode($call->body);
        $key = $call->idempotencyKey($path);
        $corrected = false;
        for ($attempt = 1;; $attempt++) {
            $pause = self::FIRST_WAIT * 2 ** ($attempt - 1) * (0.5 + mt_rand() / mt_getrandmax());
            try {
                $answer = $this->attempt($call, $path, $body, $key);
                if ($answer->status < 300) {
                    return $answer;
                }
                $trouble = new Refused($answer->status, $answer->headers, $answer->body());
                if ($trouble->error_code === 'stale_timestamp' && !$corrected) {
                    $corrected = true;
                    $this->setClock($trouble);
                    $attempt--;
                    continue;
                }
                if (!in_array($trouble->status, self::REASONS_TO_REPEAT, true) && $trouble->error_code !== 'idempotency_in_progress') {
                    throw $trouble;
                }
                $pause = $trouble->retry_after ?? $pause;
            } catch (Unanswered $lost) {
                $trouble = $lost;
            }
            if ($attempt >= $this->options->attempts || $pause > $this->options->longest_wait) {
                throw $trouble;
            }
            self::pause($pause);
        }
    }

    /**
     * The members of the answer's body.
     *
     * @return array<array-key, mixed>
     */
    public function members(Call $call): array
    {
        $body = $this->send($call)->body();
        return is_array($body) ? $body : throw new UnexpectedAnswer('the answer cannot be read');
    }

    /**
     * Item after item, each page read when its first item is requested. It walks by cursor: what is added meanwhile
     * neither repeats an item nor leaves one out.
     *
     * @param string $place data, items, or header where the body is the list
     * @return \Generator<int, mixed>
     */
    public function walk(Call $call, string $place, callable $read): \Generator
    {
        $limit = $call->query['limit'] ?? self::MOST_PER_PAGE;
        $cursor = null;
        do {
            $query = ['limit' => $limit, ...$call->query, 'cursor' => $cursor];
            $query['limit'] = $limit;
            $answer = $this->send(new Call($call->surface, $call->method, $call->path, $call->params, $query));
            $body = $answer->body();
            $items = $place === 'header' ? $body : $body[$place] ?? null;
            if (!is_array($items)) {
                throw new UnexpectedAnswer('the page cannot be read');
            }
            $holder = $place === 'header' ? $answer->headers : $body;
            $name = $place === 'header' ? 'x-next-cursor' : 'next_cursor';
            if (!array_key_exists($name, $holder) && count($items) >= $limit) {
                throw new UnexpectedAnswer("$call->path has more than one page and answers no cursor: the service is older than this SDK");
            }
            $cursor = ($holder[$name] ?? '') === '' ? null : $holder[$name];
            foreach ($items as $item) {
                yield $read($item);
            }
        } while ($cursor !== null);
    }

    /** The service's clock, in seconds since 1970, according to its last refusal. */
    public function now(): float
    {
        return microtime(true) + $this->ahead;
    }

    public static function pause(float $seconds): void
    {
        usleep((int) ($seconds * 1_000_000));
    }

    private function attempt(Call $call, string $path, string $body, ?string $key): Answer
    {
        $query = $call->queryText();
        $target = $this->base . $path;
        $headers = ['Content-Type' => 'application/json', 'User-Agent' => 'settlement-sdk-php/' . Version::VERSION];
        if ($call->surface !== 'open') {
            $headers[$call->surface === 'settlement' ? 'Authorization' : 'apiKey'] = $this->options->api_key;
            if ($key !== null) {
                $headers['Idempotency-Key'] = $key;
            }
            $prefix = "X-{$this->options->brand}";
            $timestamp = (string) (int) $this->now();
            $headers["$prefix-Timestamp"] = $timestamp;
            $headers["$prefix-Nonce"] = Signing::nonce();
            $headers["$prefix-Signature"] = Signing::sign($this->options->api_secret, $timestamp, $call->method, $target, $query, $body);
        }
        return $this->transport->attempt($call->method, $this->origin . $target . ($query === '' ? '' : "?$query"), $headers, $body);
    }

    /** By the refusal's own word, else by /time. */
    private function setClock(Refused $refused): void
    {
        $now = $refused->members['server_time'] ?? $this->members(new Call('open', 'GET', '/time'))['now'] ?? null;
        if (is_string($now)) {
            $this->ahead = (float) (new \DateTimeImmutable($now))->format('U.u') - microtime(true);
        }
    }
}
