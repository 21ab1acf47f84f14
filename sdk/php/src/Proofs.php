<?php

declare(strict_types=1);

namespace SettlementSdk;

/** Proofs: signed quotes and receipts, verified offline. */
final class Proofs
{
    private const TYPES = ['settlement-quote+jws' => 'quote', 'settlement-receipt+jws' => 'receipt'];

    /**
     * The content of a proof, if one of these keys signed it.
     *
     * @param Types\PublicKeys $keys those of `publicKeys`, or a stored copy
     * @param ?string $issuer the expected issuer, which is the service's address; null: any
     * @throws ProofRefused if it is not genuine
     */
    public static function verify(string $proof, Types\PublicKeys $keys, ?string $issuer = null): Proof
    {
        $parts = explode('.', trim($proof));
        [$header, $claims] = [self::members($parts[0]), self::members($parts[1] ?? '')];
        $signature = self::fromBase64url($parts[2] ?? '');
        if (count($parts) !== 3 || $header === null || $claims === null || $signature === null) {
            throw new ProofRefused('it is no proof: three parts of base64url with points between');
        }
        $typ = $header['typ'] ?? null;
        if (($header['alg'] ?? null) !== 'EdDSA' || !is_string($typ) || !isset(self::TYPES[$typ])) {
            throw new ProofRefused('it is a signed text of another kind');
        }
        $kid = is_string($header['kid'] ?? null) ? $header['kid'] : '';
        $key = self::keyOf($keys, $kid) ?? throw new ProofRefused("no key of this issuer is called $kid");
        if (strlen($signature) !== SODIUM_CRYPTO_SIGN_BYTES || !sodium_crypto_sign_verify_detached($signature, "$parts[0].$parts[1]", $key)) {
            throw new ProofRefused('the signature is not of these words: something was changed, or another key signed');
        }
        if ($issuer !== null && ($claims['iss'] ?? null) !== $issuer) {
            throw new ProofRefused('it is of another issuer');
        }
        return new Proof(self::TYPES[$typ], $kid, $claims);
    }

    /** Null: it is not base64url, or not in its canonical form. */
    public static function fromBase64url(string $text): ?string
    {
        if (preg_match('/^[A-Za-z0-9_-]*$/D', $text) !== 1) {
            return null;
        }
        $read = base64_decode(strtr($text, '-_', '+/'), true);
        return is_string($read) && rtrim(strtr(base64_encode($read), '+/', '-_'), '=') === $text ? $read : null;
    }

    private static function keyOf(Types\PublicKeys $keys, string $kid): ?string
    {
        foreach ($keys->keys as $one) {
            if ($one->kid === $kid && $one->purpose !== 'callbacks' && $one->crv === 'Ed25519') {
                $key = self::fromBase64url($one->x);
                return $key !== null && strlen($key) === SODIUM_CRYPTO_SIGN_PUBLICKEYBYTES ? $key : null;
            }
        }
        return null;
    }

    /** @return ?array<string, mixed> */
    private static function members(string $part): ?array
    {
        $text = self::fromBase64url($part) ?? '';
        try {
            $members = str_starts_with(ltrim($text), '{') ? Json::decode($text) : null;
        } catch (\JsonException) {
            return null;
        }
        return is_array($members) ? $members : null;
    }
}
