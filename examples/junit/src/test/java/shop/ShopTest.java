package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonObject;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShopTest {
  private static final String APPROVED = "000.100.110";
  private static final String REFUSED_BY_THE_BANK = "800.100.155";
  private static final String NOT_FOUND = "700.400.580";

  private static Sandbox sandbox;
  private Shop shop;

  @BeforeAll
  static void startSandbox() throws Exception {
    sandbox = Sandbox.start();
  }

  @AfterAll
  static void stopSandbox() throws Exception {
    sandbox.close();
  }

  @BeforeEach
  void reset() throws Exception {
    sandbox.reset();
    shop = new Shop(sandbox.url);
  }

  @Test
  void anOrderIsPaidWhenItIsShippedAndPartlyGivenBack() throws Exception {
    JsonObject order =
        shop.pay(Map.of("paymentType", "PA", "merchantTransactionId", "order-0001"));
    assertEquals(APPROVED, Shop.codeOf(order));

    JsonObject shipped = shop.capture(Shop.idOf(order), "92.00");
    assertEquals(APPROVED, Shop.codeOf(shipped));

    JsonObject returned = shop.refund(Shop.idOf(shipped), "10.00");
    assertEquals(APPROVED, Shop.codeOf(returned));
    assertEquals("10.00", returned.get("amount").getAsString());
  }

  @Test
  void nothingMoreIsGivenBackThanWasPaid() throws Exception {
    JsonObject paid = shop.pay(Map.of());
    assertEquals("700.400.200", Shop.codeOf(shop.refund(Shop.idOf(paid), "92.01")));
  }

  @Test
  void aCardMayBeDeclined() throws Exception {
    JsonObject declined =
        shop.pay(Map.of("customParameters[forceResultCode]", REFUSED_BY_THE_BANK));
    assertEquals(REFUSED_BY_THE_BANK, Shop.codeOf(declined));
  }

  @Test
  void aPaymentThatTimedOutIsRepeatedAndPaidOnce() throws Exception {
    Map<String, String> slow = Map.of("customParameters[simulator.fault]", "delay:1500");
    assertThrows(
        HttpTimeoutException.class, () -> shop.pay(slow, "order-1", Duration.ofMillis(500)));

    JsonObject paid = shop.pay(slow, "order-1", Duration.ofSeconds(30));
    assertEquals(APPROVED, Shop.codeOf(paid));
    JsonObject again = shop.pay(slow, "order-1", Duration.ofSeconds(30));
    assertEquals(Shop.idOf(paid), Shop.idOf(again));
  }

  @Test
  void everyTestBeginsWithAnEmptySandbox() throws Exception {
    assertEquals(NOT_FOUND, Shop.codeOf(shop.find("order-0001")));
  }
}
