<?php

declare(strict_types=1);

use SettlementSdk\CallbackRefused;
use SettlementSdk\Decimal;
use SettlementSdk\Json;
use SettlementSdk\MirroredVerifier;
use SettlementSdk\ProofRefused;
use SettlementSdk\Proofs;
use SettlementSdk\Signing;
use SettlementSdk\Types;
use SettlementSdk\Verifier;

$secret = 'whsec_' . base64_encode(str_repeat('k', 24));
$body = json_encode(project('contract/openapi-examples.json')['settlement']['webhooks']['settlement.executed']);

function signed(string $id, string $body, ?int $at = null): array
{
    $timestamp = (string) ($at ?? time());
    $signature = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", str_repeat('k', 24), true));
    return ['Webhook-Id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => ["v1,AAAA v1,$signature"]];
}

/** What is read has each member of what was sent, to the last digit. */
function holds(mixed $read, mixed $sent): void
{
    if (is_array($sent)) {
        foreach ($sent as $name => $value) {
            holds(is_object($read) ? $read->$name : $read[$name], $value);
        }
    } elseif ($read instanceof DateTimeInterface) {
        same(Json::instant($read), $sent);
    } elseif ($read instanceof Decimal) {
        same((string) $read, (string) $sent);
    } else {
        same($read, $sent);
    }
}

test("it reads what is really the service's", function () use ($secret, $body) {
    $other = 'whsec_' . base64_encode('other');
    $callback = (new Verifier([$other, $secret]))->callback(signed('cb_1', $body), $body);
    same([$callback->id, $callback->event, $callback->body()::class], ['cb_1', 'settlement.executed', Types\SettlementExecuted::class]);
});

test('every callback has the type of what is really sent', function () use ($secret) {
    $recorded = project('contract/openapi-examples.json');
    $sent = [...$recorded['settlement']['webhooks'], ...$recorded['partner']['webhooks']];
    same(count($sent) >= 10, true);
    foreach ($sent as $event => $members) {
        $body = json_encode($members);
        $callback = (new Verifier([$secret]))->callback(signed('cb_1', $body), $body);
        same([$callback->event, strtolower($callback->body()::class)], [$event, 'settlementsdk\\types\\' . str_replace('.', '', $event)]);
        holds($callback->body(), Json::decode($body));
    }
    $unknown = '{"event":"settlement.new","amount":1.50}';
    same((string) (new Verifier([$secret]))->callback(signed('cb_1', $unknown), $unknown)->body()['amount'], '1.50');
});

test('it refuses anything else', function () use ($secret, $body) {
    $verifier = new Verifier([$secret]);
    $good = signed('cb_1', $body);
    $signature = $good['webhook-signature'][0];
    $wrong = [
        [$good, "$body "],
        [[...$good, 'Webhook-Id' => 'cb_2'], $body],
        [[...$good, 'webhook-signature' => 'v1,AAAA'], $body],
        [[...$good, 'webhook-signature' => substr($signature, 0, -1)], $body],
        [[...$good, 'webhook-signature' => strtolower($signature)], $body],
        [[...$good, 'webhook-signature' => str_replace('v1,', 'v2,', $signature)], $body],
        [[...$good, 'webhook-timestamp' => str_repeat('9', 400)], $body],
        [signed('cb_1', $body, time() - 302), $body],
        [signed('cb_1', $body, time() + 302), $body],
        [[], $body],
    ];
    foreach ($wrong as [$headers, $text]) {
        thrown(CallbackRefused::class, '', fn () => $verifier->callback($headers, $text));
    }
});

test("it tells a mistake of its own from a callback that is not the service's", function () {
    foreach ([[], [''], ['whsec_'], ['whsec_%']] as $secrets) {
        thrown(InvalidArgumentException::class, 'callback secret', fn () => new Verifier($secrets));
    }
    thrown(InvalidArgumentException::class, 'a public key is', fn () => new Verifier(public_keys: ['whpk_AQ==']));
    thrown(InvalidArgumentException::class, 'api_secret is missing', fn () => new MirroredVerifier(''));
});

test('it reads an event, and refuses a callback as one', function () use ($secret, $body) {
    $event = '{"id":"ev_1","type":"settlement.executed","created_at":"2026-11-22T10:00:00.000Z","object_type":"settlement","object_id":"tx_1","version":4,"data":{"tx_id":"tx_1"}}';
    $verifier = new Verifier([$secret]);
    $read = $verifier->event(signed('ev_1', $event), $event);
    same([$read->type, $read->version, $read->data], ['settlement.executed', 4, ['tx_id' => 'tx_1']]);
    thrown(CallbackRefused::class, 'Verifier::event reads it', fn () => $verifier->callback(signed('ev_1', $event), $event));
    thrown(CallbackRefused::class, '', fn () => $verifier->event(signed('ev_2', $event), $event));
    thrown(CallbackRefused::class, 'it is a callback', fn () => $verifier->event(signed('cb_1', $body), $body));
});

test('it checks the mirrored signature', function () use ($body) {
    $timestamp = (string) time();
    $headers = ['webhook-id' => 'cb_1', 'x-shop-timestamp' => $timestamp, 'X-Shop-Signature' => Signing::sign('sec_1', $timestamp, 'POST', '/hook', 'a=1&&b=?', $body)];
    $verifier = new MirroredVerifier('sec_1', brand: 'Shop');
    same($verifier->callback($headers, $body, 'POST', '/hook?a=1&&b=?')->event, 'settlement.executed');
    thrown(CallbackRefused::class, 'does not fit', fn () => $verifier->callback($headers, $body, 'POST', '/hook?a=2'));
});

test('the published vectors of public keys', function () {
    $vectors = project('docs/proof-vectors.json');
    $published = Types\PublicKeys::from($vectors['jwks']);
    $own = array_column(array_filter($vectors['jwks']['keys'], static fn ($key) => $key['purpose'] === 'callbacks'), 'whpk');
    foreach ($vectors['callbacks'] as $vector) {
        $headers = array_intersect_key($vector, array_flip(['webhook-id', 'webhook-timestamp', 'webhook-signature']));
        foreach ([new Verifier(published: $published, now: 1_763_800_000), new Verifier(public_keys: $own, now: 1_763_800_000)] as $verifier) {
            try {
                $verifier->callback($headers, $vector['body']);
                $valid = true;
            } catch (CallbackRefused) {
                $valid = false;
            }
            same($valid, $vector['valid'], $vector['name']);
        }
    }
});

test('it looks at the first eight signatures of public keys', function () {
    $vectors = project('docs/proof-vectors.json');
    $vector = $vectors['callbacks'][0];
    $verifier = new Verifier(published: Types\PublicKeys::from($vectors['jwks']), now: 1_763_800_000);
    $behind = static function (int $count) use ($vector, $verifier): string {
        $others = array_map(static fn (int $at) => 'v1a,' . base64_encode(str_repeat(chr($at), 64)), range(1, $count));
        $headers = [...$vector, 'webhook-signature' => implode(' ', ['v2,AA', ...$others, $vector['webhook-signature']])];
        return $verifier->callback(array_intersect_key($headers, array_flip(['webhook-id', 'webhook-timestamp', 'webhook-signature'])), $vector['body'])->id;
    };
    same($behind(7), 'cb_01');
    thrown(CallbackRefused::class, 'no signature fits', fn () => $behind(8));
});

test('the published vectors of proofs', function () {
    $vectors = project('docs/proof-vectors.json');
    $keys = Types\PublicKeys::from($vectors['jwks']);
    same(count($vectors['proofs']) >= 15, true);
    foreach ($vectors['proofs'] as $vector) {
        try {
            $proof = Proofs::verify($vector['proof'], $keys, $vectors['issuer']);
            same($vector['valid'], true, $vector['name']);
            same([$proof->type, $proof->kid], [$vector['type'], $vector['kid']], $vector['name']);
            same($proof->claims == $vector['claims'], true, $vector['name']);
        } catch (ProofRefused) {
            same($vector['valid'], false, $vector['name']);
        }
    }
    thrown(ProofRefused::class, 'another issuer', fn () => Proofs::verify($vectors['proofs'][0]['proof'], $keys, 'https://pay.example.evil'));
    $proof = $vectors['proofs'][1]['proof'];
    for ($at = 0; $at < strlen($proof); $at += 7) {
        $changed = substr_replace($proof, $proof[$at] === 'A' ? 'B' : 'A', $at, 1);
        thrown(ProofRefused::class, '', fn () => Proofs::verify($changed, $keys));
    }
    $deep = rtrim(base64_encode('{"a":' . str_repeat('[', 100_000)), '=');
    thrown(ProofRefused::class, '', fn () => Proofs::verify("$deep.$deep.AA", $keys));
});
