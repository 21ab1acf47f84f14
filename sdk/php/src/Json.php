<?php

declare(strict_types=1);

namespace SettlementSdk;

/** JSON whose numbers keep their digits, and whose texts do not depend on the order of members. */
final class Json
{
    private const NUMBERS = '/"(?:[^"\\\\]++|\\\\.)*+"|-?\d++(?:\.\d++)?+(?:[eE][+-]?\d++)?+/s';

    /**
     * Reads JSON: numbers with a fraction or an exponent, or too large for an int, are a Decimal.
     *
     * @throws \JsonException if it is no JSON
     */
    public static function decode(string $text): mixed
    {
        json_decode($text, false, 512, JSON_THROW_ON_ERROR);
        $mark = bin2hex(random_bytes(8)) . ':';
        $marked = preg_replace_callback(self::NUMBERS, static fn (array $found): string => self::mark($found[0], $mark), $text);
        if ($marked === null) {
            throw new \JsonException(preg_last_error_msg());
        }
        return self::unmark(json_decode($marked, true, 512, JSON_THROW_ON_ERROR), $mark);
    }

    /** @throws \InvalidArgumentException for a float, which may have lost digits already */
    public static function encode(mixed $value): string
    {
        return match (true) {
            $value instanceof Decimal => $value->digits,
            $value instanceof Remove => 'null',
            $value instanceof \DateTimeInterface => self::text(self::instant($value)),
            $value instanceof \JsonSerializable => self::encode((object) $value->jsonSerialize()),
            is_float($value) => throw new \InvalidArgumentException('a float may have lost digits: write amounts as a text or a Decimal'),
            is_object($value) => self::members(get_object_vars($value)),
            is_array($value) && array_is_list($value) => '[' . implode(',', array_map(self::encode(...), $value)) . ']',
            is_array($value) => self::members($value),
            default => self::text($value),
        };
    }

    /** An instant as the service writes it. */
    public static function instant(\DateTimeInterface $moment): string
    {
        return \DateTimeImmutable::createFromInterface($moment)->setTimezone(new \DateTimeZone('UTC'))->format('Y-m-d\TH:i:s.v\Z');
    }

    /** @param array<array-key, mixed> $members */
    private static function members(array $members): string
    {
        ksort($members, SORT_STRING);
        $written = [];
        foreach ($members as $name => $value) {
            $written[] = self::text((string) $name) . ':' . self::encode($value);
        }
        return '{' . implode(',', $written) . '}';
    }

    private static function text(string|int|bool|null $value): string
    {
        return json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
    }

    private static function mark(string $found, string $mark): string
    {
        $isWhole = $found[0] === '"' || (strpbrk($found, '.eE') === false && (string) (int) $found === $found);
        return $isWhole ? $found : "\"$mark$found\"";
    }

    private static function unmark(mixed $value, string $mark): mixed
    {
        if (is_array($value)) {
            return array_map(static fn (mixed $each): mixed => self::unmark($each, $mark), $value);
        }
        return is_string($value) && str_starts_with($value, $mark) ? new Decimal(substr($value, strlen($mark))) : $value;
    }
}
