<?php

declare(strict_types=1);

require_once __DIR__ . '/settings.php';
require_once __DIR__ . '/pay.php';
require_once __DIR__ . '/web_server.php';

$server = new WebServer(__DIR__ . '/receiver.php');
$order = new Order('order-' . hrtime(true), 250_000, 'shop-1', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
$tx_id = pay(create_client(), $order, $server->url);
echo "$tx_id: confirmed for $order->id\n";
$callback = $server->callback();
echo "{$callback['event']}: " . ($callback['body']['tx_hash'] ?? '') . "\n";
