<?php

declare(strict_types=1);

namespace SettlementSdk;

/** What came back. Headers are by their names in lower case. */
final readonly class Answer
{
    /** @param array<string, string> $headers */
    public function __construct(public int $status, public array $headers, public string $text)
    {
    }

    /** The JSON of the body, or null if it has none. */
    public function body(): mixed
    {
        try {
            return $this->text === '' ? null : Json::decode($this->text);
        } catch (\JsonException) {
            return null;
        }
    }
}
