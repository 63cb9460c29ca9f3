<?php

declare(strict_types=1);

use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/Sandbox.php';
require_once __DIR__ . '/Shop.php';

final class ShopTest extends TestCase
{
    private const APPROVED = '000.100.110';
    private const REFUSED_BY_THE_BANK = '800.100.155';
    private const NOT_FOUND = '700.400.580';

    private static Sandbox $sandbox;
    private Shop $shop;

    public static function setUpBeforeClass(): void
    {
        self::$sandbox = Sandbox::start();
    }

    public static function tearDownAfterClass(): void
    {
        self::$sandbox->stop();
    }

    protected function setUp(): void
    {
        self::$sandbox->reset();
        $this->shop = new Shop(self::$sandbox->url);
    }

    public function testAnOrderIsPaidWhenItIsShippedAndPartlyGivenBack(): void
    {
        $order = $this->shop->pay(['paymentType' => 'PA', 'merchantTransactionId' => 'order-0001']);
        self::assertSame(self::APPROVED, $order['result']['code']);

        $shipped = $this->shop->capture($order['id'], '92.00');
        self::assertSame(self::APPROVED, $shipped['result']['code']);

        $returned = $this->shop->refund($shipped['id'], '10.00');
        self::assertSame(self::APPROVED, $returned['result']['code']);
        self::assertSame('10.00', $returned['amount']);
    }

    public function testNothingMoreIsGivenBackThanWasPaid(): void
    {
        $paid = $this->shop->pay();
        $tooMuch = $this->shop->refund($paid['id'], '92.01');
        self::assertSame('700.400.200', $tooMuch['result']['code']);
    }

    public function testACardMayBeDeclined(): void
    {
        $forced = ['customParameters[forceResultCode]' => self::REFUSED_BY_THE_BANK];
        self::assertSame(self::REFUSED_BY_THE_BANK, $this->shop->pay($forced)['result']['code']);
    }

    public function testAPaymentThatTimedOutIsRepeatedAndPaidOnce(): void
    {
        $slow = ['customParameters[simulator.fault]' => 'delay:1500'];
        self::assertNull($this->shop->pay($slow, 'order-1', 0.5));

        $paid = $this->shop->pay($slow, 'order-1');
        self::assertSame(self::APPROVED, $paid['result']['code']);
        $again = $this->shop->pay($slow, 'order-1');
        self::assertSame($paid['id'], $again['id']);
    }

    public function testEveryTestBeginsWithAnEmptySandbox(): void
    {
        self::assertSame(self::NOT_FOUND, $this->shop->find('order-0001')['result']['code']);
    }
}
