<?php

declare(strict_types=1);

use SettlementSdk\Decimal;
use SettlementSdk\ExpectedTotal;
use SettlementSdk\FileCursor;
use SettlementSdk\Json;
use SettlementSdk\NotTerminal;
use SettlementSdk\Refused;
use SettlementSdk\Remove;
use SettlementSdk\SettlementClient;
use SettlementSdk\Signing;
use SettlementSdk\Types;
use SettlementSdk\Unanswered;
use SettlementSdk\UnexpectedAnswer;

$order = new Types\SettlementCreate(
    source_amount: 1_000_000,
    source_currency: 'KES',
    destination_currency: 'USDT',
    external_merchant_id: 'Käthe’s & <店>/',
    chain: 'eip155:31337',
    wallet_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    metadata: [],
);
$settlement = static fn (array $changed = []): array => answering(200, recorded('settlement', 'create_settlement', $changed));

test('the published vectors of signatures', function () {
    $vectors = project('docs/signing-vectors.json')['vectors'];
    same(count($vectors) >= 20, true);
    foreach ($vectors as $one) {
        $parts = [$one['timestamp'], $one['method'], $one['path'], $one['query'], $one['body']];
        same(Signing::bytes(...$parts), $one['signing_string'], $one['name']);
        same(Signing::sign($one['secret'], ...$parts), $one['signature'], $one['name']);
    }
});

test('the totals of pairs with the same destination currency are added exactly', function () {
    $total = static fn (string $currency, string $amount) => new Types\BatchTotal('KES', 1, $currency, new Decimal($amount), new Decimal('0'));
    $totals = [['USDT', '0.1'], ['USDC', '1070.623717'], ['USDT', '0.2'], ['USDT', '5'], ['DAI', '99999999999999999999.95'], ['DAI', '5e-2']];
    $found = ExpectedTotal::of(array_map(static fn (array $one) => $total(...$one), $totals));
    same(array_map(strval(...), $found), ['USDT' => '5.3', 'USDC' => '1070.623717', 'DAI' => '100000000000000000000']);
});

test('it signs what goes out', function () use ($order, $settlement) {
    $s = new Served([answering(200, '{"data":[],"next_cursor":null}'), $settlement()]);
    same(iterator_to_array($s->client->settlements->list(external_merchant_id: "o'clock & 店+")), []);
    $s->client->settlements->create($order, 'order-1');
    $s->client->settlements->get('a/b?c d');
    $requests = $s->requests(3);
    foreach ($requests as $one) {
        [$path, $query] = explode('?', $one['target'], 2) + [1 => ''];
        $wanted = Signing::sign('sec_1', $one['headers']['x-service-timestamp'], $one['method'], $path, $query, $one['body']);
        same($one['headers']['x-service-signature'], $wanted);
        same($one['headers']['authorization'], 'key_1');
        same($one['headers']['user-agent'], 'settlement-sdk-php/' . SettlementSdk\Version::VERSION);
    }
    same($requests[0]['target'], '/api/v1/settlements?limit=100&external_merchant_id=o%27clock%20%26%20%E5%BA%97%2B');
    same($requests[2]['target'], '/api/v1/settlements/a%2Fb%3Fc%20d');
    same(str_contains($requests[1]['body'], '"external_merchant_id":"Käthe’s & <店>/","metadata":{}'), true);
});

test('it signs reads of the other surface, and nothing that is open', function () {
    $s = new Served([answering(200, recorded('partner', 'get_member')), answering(200, '{"keys":[]}')]);
    $s->client->members->get('m-1');
    $s->client->publicKeys('b97f1128');
    [$member, $keys] = $s->requests(2);
    same([$member['headers']['apikey'], strlen($member['headers']['x-service-signature'])], ['key_1', 64]);
    same($keys['target'], '/.well-known/jwks.json?partner=b97f1128');
    same(array_intersect(['authorization', 'apikey', 'x-service-signature'], array_keys($keys['headers'])), []);
});

test('it is sent again with the same key and bytes', function () use ($order, $settlement) {
    $again = ['Retry-After' => '0'];
    $s = new Served([HANG_UP, problem(429, 'rate_limited', [], $again), problem(409, 'idempotency_in_progress', [], $again), $settlement()]);
    $s->client->settlements->create($order, 'order-1');
    $requests = $s->requests(4);
    same([different($requests, 'idempotency-key'), different($requests, 'x-service-nonce')], [1, 4]);
    same(count(array_unique(array_column($requests, 'body'))), 1);
});

test('the key comes from the intent', function () use ($order, $settlement) {
    $s = new Served([$settlement()]);
    foreach (['order-1', 'order-1', 'order-2'] as $intent) {
        $s->client->settlements->create($order, $intent);
    }
    $requests = $s->requests(3);
    same($requests[0]['headers']['idempotency-key'], $requests[1]['headers']['idempotency-key']);
    same(different($requests, 'idempotency-key'), 2);
    thrown(InvalidArgumentException::class, 'an intent says something', fn () => $s->client->settlements->create($order, ''));
    $s->requests(3);
});

test('a later call is not answered by a kept refusal', function () use ($settlement) {
    $s = new Served([problem(409, 'approval_pending'), $settlement()]);
    $confirm = fn () => $s->client->settlements->confirm('tx_1', new Types\SettlementConfirmation('order-1'));
    same(thrown(Refused::class, '409 approval_pending', $confirm)->error_code, 'approval_pending');
    $confirm();
    same(different($s->requests(2), 'idempotency-key'), 2);
});

test('it sets its clock by the service', function () use ($settlement) {
    $ahead = gmdate('Y-m-d\TH:i:s.000\Z', time() + 3_600);
    $s = new Served([problem(401, 'stale_timestamp', ['server_time' => $ahead]), $settlement()], ['attempts' => 1]);
    $s->client->settlements->get('tx_1');
    $s->client->settlements->get('tx_1');
    $off = array_map(static fn ($one) => (int) round(((int) $one['headers']['x-service-timestamp'] - time()) / 60), $s->requests(3));
    same($off, [0, 60, 60]);
    $stale = problem(401, 'stale_timestamp');
    $s = new Served([$stale, answering(200, '{"now":"2026-11-22T10:00:00.000Z","epoch_seconds":1}'), $stale]);
    thrown(Refused::class, 'stale_timestamp', fn () => $s->client->settlements->get('tx_1'));
    same($s->requests(3)[1]['target'], '/time');
});

test('it tells a refusal of both surfaces', function () use ($order) {
    $members = ['errors' => [['pointer' => '/source_amount', 'code' => 'too_small', 'message' => 'must be at least 1']], 'current_destination_amount' => 7682.938826];
    $s = new Served([problem(422, 'validation_failed', $members, ['X-Request-Id' => 'req_1'])]);
    $refused = thrown(Refused::class, '', fn () => $s->client->settlements->create($order, 'x'));
    same([$refused->status, $refused->error_code, $refused->request_id, $refused->faults[0]->at], [422, 'validation_failed', 'req_1', '/source_amount']);
    same($refused->getMessage(), '422 validation_failed: It is validation_failed. (/source_amount: must be at least 1)');
    same((string) $refused->members['current_destination_amount'], '7682.938826');
    $s->requests(1);
    $s = new Served([answering(422, '{"detail":[{"loc":["body","phone"],"msg":"must be a number","type":"invalid"}]}')]);
    thrown(Refused::class, '422 validation_failed: must be a number (body.phone)', fn () => $s->client->members->get('m'));
    $s = new Served([answering(404, '<html>')]);
    thrown(Refused::class, '404 unknown: The service answered 404.', fn () => $s->client->members->get('m'));
});

test('it waits no longer than it may, and says when nobody answers', function () {
    $s = new Served([problem(503, 'liquidity_unavailable', [], ['Retry-After' => '60'])]);
    same(thrown(Refused::class, '503', fn () => $s->client->settlements->get('tx_1'))->retry_after, 60.0);
    $s->requests(1);
    $s = new Served([HANG_UP], ['attempts' => 2]);
    thrown(Unanswered::class, 'no answer', fn () => $s->client->settlements->get('tx_1'));
    $s->requests(2);
    $s = new Served([['hang' => 3]], ['attempts' => 1, 'timeout' => 0.05]);
    thrown(Unanswered::class, 'no answer', fn () => $s->client->settlements->get('tx_1'));
});

test('it follows no redirect, and takes no id that leaves its path', function () {
    $s = new Served([answering(302, '{}', ['Location' => 'https://elsewhere.example'])]);
    thrown(Refused::class, '302', fn () => $s->client->settlements->get('tx_1'));
    foreach (['', '.', '..'] as $id) {
        thrown(InvalidArgumentException::class, 'is no id', fn () => $s->client->settlements->get($id));
    }
    $s->requests(1);
});

test('it refuses options that cannot be right', function () {
    $good = ['base_url' => 'https://api.example.com', 'api_key' => 'k', 'api_secret' => 's'];
    new SettlementClient(...$good);
    $wrong = [['base_url', '', 'base_url is missing'], ['base_url', 'nonsense', 'base_url is the'], ['base_url', 'https://api.example.com/api/v1/', 'before /api/v1'],
        ['api_key', '', 'api_key is missing'], ['api_secret', '', 'api_secret is missing'], ['attempts', 0, 'attempt'], ['timeout', 0.0, 'timeout']];
    foreach ($wrong as [$name, $value, $text]) {
        thrown(InvalidArgumentException::class, $text, fn () => new SettlementClient(...[...$good, $name => $value]));
    }
});

test('amounts keep their digits', function () use ($settlement) {
    $text = str_replace(['"destination_amount":1', '"exchange_rate":2'], ['"destination_amount":7682.938826', '"exchange_rate":1e-7'],
        $settlement(['destination_amount' => 1, 'exchange_rate' => 2, 'platform_fee' => 0, 'source_amount' => 9_007_199_254_740_991, 'external_tx_id' => 'not 1.50 "but \\" a text'])['body']);
    $s = new Served([answering(200, $text)]);
    $found = $s->client->settlements->get('tx_1');
    same([$found->source_amount, (string) $found->destination_amount, (string) $found->platform_fee, (string) $found->exchange_rate], [9_007_199_254_740_991, '7682.938826', '0', '1e-7']);
    same($found->external_tx_id, 'not 1.50 "but \\" a text');
    same($found->exchange_rate->plain(), '0.0000001');
    $s->client->settlements->confirm('tx_1', new Types\SettlementConfirmation('o', expected_destination_amount: $found->destination_amount));
    same($s->requests(2)[1]['body'], '{"expected_destination_amount":7682.938826,"external_tx_id":"o"}');
    $wrong = new Types\SettlementConfirmation('o', expected_destination_amount: '7,68');
    thrown(InvalidArgumentException::class, 'is no decimal number', fn () => $s->client->settlements->confirm('tx_1', $wrong));
    thrown(InvalidArgumentException::class, 'a float may have lost digits', fn () => $s->client->echo(['amount' => 0.1]));
    thrown(TypeError::class, '', fn () => new Types\SettlementConfirmation('o', expected_destination_amount: 7682.938826));
    $s->requests(2);
});

test('decimals compare exactly', function () {
    foreach ([['1.10', '1.1', 0], ['-0', '0', 0], ['10', '9.99', 1], ['-10', '-9.99', -1], ['1e-7', '0.00000011', -1], ['-1', '0.1', -1], ['1.5e3', '1500', 0], ['0.1', '0.10000000000000000001', -1]] as [$one, $two, $order]) {
        same((new Decimal($one))->compare($two), $order, "$one $two");
    }
    foreach (['', '1.', '.5', '01', '1e', 'NaN', "1\n"] as $text) {
        thrown(InvalidArgumentException::class, 'is no decimal number', fn () => new Decimal($text));
    }
    same(json_encode(new Decimal('1.10')), '"1.10"');
    same(Json::encode(Json::decode('{"b":[12345678901234567890,-1.50,"1.5"],"a":{}}')), '{"a":[],"b":[12345678901234567890,-1.50,"1.5"]}');
});

test('a change leaves out, removes and sets', function () {
    $s = new Served([answering(200, recorded('partner', 'get_member'))]);
    $s->client->members->update('m', new Types\MemberUpdate(name: 'Wanjiru', email: Remove::It));
    same($s->requests(1)[0]['body'], '{"email":null,"name":"Wanjiru"}');
});

test('it reads page after page', function () {
    $page = static fn (array $ids, ?string $cursor) => answering(200, json_encode(['data' => array_map(static fn ($id) => json_decode(recorded('settlement', 'create_settlement', ['tx_id' => $id])), $ids), 'next_cursor' => $cursor]));
    $s = new Served([$page(['1', '2'], 'next'), $page(['3'], null)]);
    $ids = [];
    foreach ($s->client->settlements->list(status: 'executed', limit: 2) as $one) {
        $ids[] = $one->tx_id;
    }
    same($ids, ['1', '2', '3']);
    same($s->requests(2)[1]['target'], '/api/v1/settlements?limit=2&status=executed&cursor=next');
    $members = '[' . recorded('partner', 'get_member') . ']';
    $s = new Served([answering(200, $members, ['X-Next-Cursor' => 'next']), answering(200, $members, ['X-Next-Cursor' => ''])]);
    $count = 0;
    foreach ($s->client->members->list(search: 'm') as $one) {
        $count++;
    }
    same($count, 2);
    same($s->requests(2)[1]['target'], '/partners/members?limit=100&search=m&cursor=next');
    $s = new Served([answering(200, $members)]);
    thrown(UnexpectedAnswer::class, 'older than this SDK', fn () => iterator_to_array($s->client->members->list(limit: 1), false));
    $s = new Served([answering(200, '{"tx_id":"tx_1"}')]);
    thrown(UnexpectedAnswer::class, 'the answer has no', fn () => $s->client->settlements->get('tx_1'));
});

test('it waits for an end', function () use ($settlement) {
    $quoted = static fn (string $status, int $end): array => $settlement(['status' => $status, 'approval_state' => null, 'expires_at' => gmdate('Y-m-d\TH:i:s.000\Z', $end)]);
    $later = time() + 3_600;
    $clock = static fn (int $now): array => answering(200, json_encode(['now' => gmdate('Y-m-d\TH:i:s.000\Z', $now), 'epoch_seconds' => $now]));
    $s = new Served([$quoted('processing', $later), $quoted('processing', $later), $quoted('executed', $later)]);
    same($s->client->settlements->waitForTerminal('tx_1', every: 0.001)->status, 'executed');
    $s = new Served([$quoted('processing', $later)]);
    $open = thrown(NotTerminal::class, 'it is processing', fn () => $s->client->settlements->waitForTerminal('tx_1', 0.05, 0.01));
    same($open->last->status, 'processing');
    $s = new Served([$quoted('quoted', 0), $clock(time())]);
    thrown(NotTerminal::class, 'the quote has expired', fn () => $s->client->settlements->waitForTerminal('tx_1'));
    // By the service's clock, an hour behind this one, the quote is good.
    $s = new Served([$quoted('quoted', time() - 3_540), $clock(time() - 3_600), $quoted('executed', $later)]);
    same($s->client->settlements->waitForTerminal('tx_1', every: 0.001)->status, 'executed');
    $order = static fn (string $status): array => answering(200, recorded('partner', 'withdraw_fiat_status', ['status' => $status]));
    $s = new Served([$order('pending'), $order('failed')]);
    same($s->client->withdrawals->waitForTerminal('wd_1', every: 0.001)->status, 'failed');
});

test("it waits for a member's Safe", function () {
    $member = static fn (?string $safe, ?string $wallet): array => answering(200, recorded('partner', 'get_member', ['safe_status' => $safe, 'wallet_address' => $wallet]));
    $s = new Served([$member('deploying', null), $member('deploying', '0xabc'), $member('deployed', '0xabc')]);
    same($s->client->members->waitForSafe('m-1', every: 0.001)->wallet_address, '0xabc');
    $s->requests(3);
    $s = new Served([$member(null, '0xdef')]);
    same($s->client->members->waitForSafe('m-1')->wallet_address, '0xdef');
    $s = new Served([$member('failed', '0xabc')]);
    thrown(NotTerminal::class, 'could not be deployed', fn () => $s->client->members->waitForSafe('m-1'));
});

test('events go on after a crash where they were', function () {
    $event = static fn (string $id): string => '{"id":"' . $id . '","type":"settlement.created","created_at":"2026-11-22T10:00:00.000Z","object_type":"settlement","object_id":"tx_1","version":1,"data":{"amount":1.10}}';
    $pages = [
        answering(200, '{"data":[' . $event('ev_1') . ',' . $event('ev_2') . '],"next_cursor":"c2"}'),
        answering(200, '{"data":[' . $event('ev_3') . '],"next_cursor":"c3"}'),
        problem(410, 'cursor_expired', ['oldest_cursor' => 'c9']),
    ];
    $path = sys_get_temp_dir() . '/settlement-cursor-' . bin2hex(random_bytes(6));
    $store = new FileCursor($path);
    try {
        $s = new Served($pages);
        $following = $s->client->events->follow($store, types: 'settlement.*');
        foreach (['ev_1', 'ev_2', 'ev_3'] as $wanted) {
            same($following->current()->id, $wanted);
            same((string) $following->current()->data['amount'], '1.10');
            // ev_3 was given and perhaps not done: its page is not behind us yet.
            same($store->read(), $wanted === 'ev_3' ? 'c2' : null);
            if ($wanted !== 'ev_3') {
                $following->next();
            }
        }
        same(thrown(Refused::class, 'cursor_expired', fn () => $following->next())->members['oldest_cursor'], 'c9');
        same($store->read(), 'c3');
        same($s->requests(3)[0]['target'], '/api/v1/events?types=settlement.%2A&wait=20');
        $s = new Served($pages);
        same($s->client->events->follow($store, wait: 5)->current()->id, 'ev_1');
        same($s->requests(1)[0]['target'], '/api/v1/events?cursor=c3&wait=5');
    } finally {
        unlink($path);
    }
});

test('it calls anything by method and path', function () {
    $s = new Served([answering(200, '{"a":1.50}')]);
    same((string) $s->client->call('POST', '/api/v1/new', ['b' => 'c d'], ['x' => 1], 'i')['a'], '1.50');
    [$one] = $s->requests(1);
    same($one['target'] . $one['body'], '/api/v1/new?b=c%20d{"x":1}');
});
