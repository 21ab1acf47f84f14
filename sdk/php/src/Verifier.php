<?php

declare(strict_types=1);

namespace SettlementSdk;

/**
 * Verifies callbacks, and what an event destination is sent. A CallbackRefused is not genuine: answer 400. Anything else is
 * a mistake on your side: answer 500, and the callback comes again.
 */
final class Verifier
{
    /** The most signatures under public keys that are checked: anyone without a secret can still send a header full of them. */
    private const MOST_PUBLIC = 8;

    /** @var list<string> */
    private readonly array $secrets;
    /** @var list<string> */
    private readonly array $keys;

    /**
     * One valid signature is enough.
     *
     * @param list<string> $secrets your callback secrets (whsec_…), or those of an event destination: several during a rotation
     * @param list<string> $public_keys keys in the form whpk_…, instead of secrets or in addition
     * @param ?Types\PublicKeys $published the keys that the service publishes for you: `publicKeys` with your partner id
     * @param float $tolerance how many seconds its time may be off
     * @param ?float $now the present, in seconds since 1970
     * @throws \InvalidArgumentException for a missing or malformed secret or key
     */
    public function __construct(
        #[\SensitiveParameter] array $secrets = [],
        array $public_keys = [],
        ?Types\PublicKeys $published = null,
        private readonly float $tolerance = 300.0,
        private readonly ?float $now = null,
    ) {
        $this->secrets = array_values(array_map(self::secret(...), $secrets));
        // Only the published keys for callbacks: a key that signs proofs signs no callback.
        $own = array_filter($published?->keys ?? [], static fn (Types\PublicKeysKey $key): bool => $key->purpose === 'callbacks');
        $this->keys = array_map(self::key(...), [
            ...array_map(static fn (string $key): ?string => base64_decode(preg_replace('/^whpk_/', '', $key), true) ?: null, array_values($public_keys)),
            ...array_map(static fn (Types\PublicKeysKey $key): ?string => Proofs::fromBase64url($key->x), array_values($own)),
        ]);
        if ($this->secrets === [] && $this->keys === []) {
            throw new \InvalidArgumentException('there is neither a callback secret nor a public key to check it with');
        }
    }

    /**
     * Reads a callback. Give it the raw bytes of the body, `file_get_contents('php://input')`.
     *
     * @param array<string, string|list<string>> $headers as getallheaders() or a PSR-7 request has them
     * @throws CallbackRefused if it is not genuine, or an event
     */
    public function callback(array $headers, string $body): VerifiedCallback
    {
        return VerifiedCallback::of($this->verify($headers, $body), $body);
    }

    /**
     * Reads an event that an event destination was sent, under the destination's own secret. An event can come again under
     * the same id: do not act on it twice.
     *
     * @param array<string, string|list<string>> $headers as getallheaders() or a PSR-7 request has them
     * @throws CallbackRefused if it is not genuine, or a callback
     */
    public function event(array $headers, string $body): Types\Event
    {
        $id = $this->verify($headers, $body);
        $members = Json::decode($body);
        if (!VerifiedCallback::isEvent($members) || $members['id'] !== $id) {
            throw new CallbackRefused('it is a callback, and not an event');
        }
        return Types\Event::from($members);
    }

    /**
     * The id of what was sent.
     *
     * @param array<string, string|list<string>> $headers
     */
    private function verify(array $headers, string $body): string
    {
        $received = new Received($headers);
        [$id, $timestamp] = [$received->header('webhook-id'), $received->header('webhook-timestamp')];
        Received::refuseOld($timestamp, $this->tolerance, $this->now);
        $signatures = explode(' ', $received->header('webhook-signature'));
        $signed = "$id.$timestamp.$body";
        foreach ($this->secrets as $secret) {
            $wanted = base64_encode(hash_hmac('sha256', $signed, $secret, true));
            foreach (self::under('v1,', $signatures) as $given) {
                if (hash_equals($wanted, $given)) {
                    return $id;
                }
            }
        }
        foreach ($this->keys as $key) {
            foreach (array_slice(self::under('v1a,', $signatures), 0, self::MOST_PUBLIC) as $given) {
                $signature = base64_decode($given, true);
                if (is_string($signature) && strlen($signature) === SODIUM_CRYPTO_SIGN_BYTES && sodium_crypto_sign_verify_detached($signature, $signed, $key)) {
                    return $id;
                }
            }
        }
        throw new CallbackRefused('no signature fits');
    }

    /**
     * @param list<string> $signatures
     * @return list<string>
     */
    private static function under(string $version, array $signatures): array
    {
        $own = array_filter($signatures, static fn (string $one): bool => str_starts_with($one, $version));
        return array_values(array_map(static fn (string $one): string => substr($one, strlen($version)), $own));
    }

    private static function secret(string $given): string
    {
        $secret = base64_decode(preg_replace('/^whsec_/', '', $given), true);
        return is_string($secret) && $secret !== '' ? $secret : throw new \InvalidArgumentException('a callback secret is missing, or is not whsec_ and base64');
    }

    private static function key(?string $key): string
    {
        return $key !== null && strlen($key) === SODIUM_CRYPTO_SIGN_PUBLICKEYBYTES ? $key : throw new \InvalidArgumentException('a public key is whpk_ and base64 of 32 bytes');
    }
}
