<?php

declare(strict_types=1);

/** The receiver, and what it received: the tests send it again. */
file_put_contents(getenv('CALLBACKS') . '/delivery', serialize([getallheaders(), file_get_contents('php://input')]));
require __DIR__ . '/receiver.php';
