<?php

declare(strict_types=1);

/**
 * A service for one test: it goes from step to step, and stays at the last. The steps are JSON on the standard input; the port is
 * the first line that it prints, and then each request as a line of JSON.
 */
$steps = json_decode(stream_get_contents(STDIN), true, flags: JSON_THROW_ON_ERROR);
$server = stream_socket_server('tcp://127.0.0.1:0');
echo explode(':', stream_socket_get_name($server, false))[1], "\n";
for ($at = 0;; $at++) {
    $connection = stream_socket_accept($server, 120);
    if ($connection === false) {
        exit(1);
    }
    $line = fgets($connection);
    if ($line === false) {
        $at--;
        continue;
    }
    [$method, $target] = explode(' ', $line);
    $headers = [];
    while (($line = rtrim((string) fgets($connection))) !== '') {
        [$name, $value] = explode(': ', $line, 2) + [1 => ''];
        $headers[strtolower($name)] = $value;
    }
    $length = (int) ($headers['content-length'] ?? 0);
    $body = $length > 0 ? stream_get_contents($connection, $length) : '';
    echo json_encode(['method' => $method, 'target' => $target, 'headers' => $headers, 'body' => $body], JSON_THROW_ON_ERROR), "\n";
    $step = $steps[min($at, count($steps) - 1)];
    if (isset($step['hang'])) {
        usleep((int) ($step['hang'] * 1_000_000));
    }
    if (isset($step['status'])) {
        $text = $step['body'];
        fwrite($connection, "HTTP/1.1 $step[status] Answer\r\nContent-Type: application/json\r\nContent-Length: " . strlen($text) . "\r\n");
        foreach ($step['headers'] ?? [] as $name => $value) {
            fwrite($connection, "$name: $value\r\n");
        }
        fwrite($connection, "\r\n$text");
    }
    fclose($connection);
}
