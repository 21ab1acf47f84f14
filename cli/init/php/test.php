<?php

declare(strict_types=1);

/** `php test.php`: the sandbox pays an order on its own chain, and calls a receiver here. */

require_once __DIR__ . '/settings.php';
require_once __DIR__ . '/pay.php';
require_once __DIR__ . '/web_server.php';

function expect(string $what, mixed $expected, mixed $found): void
{
    if ($expected !== $found) {
        throw new RuntimeException("$what: expected " . var_export($expected, true) . ', found ' . var_export($found, true));
    }
}

/** What a callback sends. */
function delivery(string $url, array $headers, string $body): CurlHandle
{
    $lines = ['Content-Type: application/json'];
    foreach ($headers as $name => $value) {
        if (str_starts_with(strtolower($name), 'webhook-')) {
            $lines[] = "$name: $value";
        }
    }
    $request = curl_init($url);
    curl_setopt_array($request, [CURLOPT_POSTFIELDS => $body, CURLOPT_HTTPHEADER => $lines, CURLOPT_RETURNTRANSFER => true]);
    return $request;
}

/** Sends what a callback sends, and returns the status of the answer. */
function post(string $url, array $headers, string $body): int
{
    $request = delivery($url, $headers, $body);
    curl_exec($request);
    return curl_getinfo($request, CURLINFO_RESPONSE_CODE);
}

$client = create_client();
$server = new WebServer(__DIR__ . '/test_receiver.php');
$order = new Order('order-' . hrtime(true), 250_000, 'shop-1', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
$tx_id = pay($client, $order, $server->url);

expect('the same order again', $tx_id, pay($client, $order, $server->url));
expect('the settlement', 'executed', $client->settlements->waitForTerminal($tx_id)->status);
$callback = $server->callback();
expect('the callback', ['settlement.executed', $tx_id], [$callback['event'], $callback['body']['tx_id']]);
$paid = [];
foreach ($client->settlements->list(external_tx_id: $order->id) as $settlement) {
    $paid[] = $settlement->tx_id;
}
expect('all settlements of the order', [$tx_id], $paid);
echo "ok: an order is paid once, and its callback arrives\n";

[$headers, $body] = unserialize(file_get_contents("$server->folder/delivery"));
expect('a copy', 200, post($server->url, $headers, $body));
expect('callbacks after a copy', 1, count($server->kept()));
echo "ok: a copy of a callback changes nothing\n";

$two = new WebServer(__DIR__ . '/slow_receiver.php', 2);
$copies = [delivery($two->url, $headers, $body), delivery($two->url, $headers, $body)];
$both = curl_multi_init();
array_map(fn (CurlHandle $copy) => curl_multi_add_handle($both, $copy), $copies);
do {
    curl_multi_exec($both, $running);
    curl_multi_select($both);
} while ($running > 0);
expect('two copies', [200, 200], array_map(fn (CurlHandle $copy) => curl_getinfo($copy, CURLINFO_RESPONSE_CODE), $copies));
expect('work for two copies', "1\n", file_get_contents("$two->folder/work"));
echo "ok: of two copies at the same time, one is handled\n";

expect('a changed callback', 400, post($server->url, $headers, str_replace('executed', 'failed', $body)));
expect('a callback without a signature', 400, post($server->url, [], $body));
expect('callbacks after forged ones', 1, count($server->kept()));
echo "ok: a forged callback is refused\n";
