package shop;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** How a shop calls the gateway: a flat form, and a result code in the answer. */
final class Shop {
  private static final String ENTITY_ID = "8a8294174b7ecb28014b9699220015ca";
  private static final String ACCESS_TOKEN = "sluice-demo-access-token-for-sandboxes-only";
  private static final Map<String, String> CARD =
      Map.of(
          "paymentBrand", "VISA",
          "card.number", "4200000000000000",
          "card.holder", "Jane Jones",
          "card.expiryMonth", "05",
          "card.expiryYear", "2034",
          "card.cvv", "123");

  private final String url;
  private final HttpClient client = HttpClient.newHttpClient();

  Shop(String url) {
    this.url = url;
  }

  /** Charges a card, or reserves the amount with the payment type PA. */
  JsonObject pay(Map<String, String> fields) throws IOException, InterruptedException {
    return pay(fields, null, Duration.ofSeconds(30));
  }

  JsonObject pay(Map<String, String> fields, String idempotencyKey, Duration timeout)
      throws IOException, InterruptedException {
    Map<String, String> wanted = new HashMap<>(CARD);
    wanted.putAll(Map.of("paymentType", "DB", "amount", "92.00", "currency", "EUR"));
    wanted.putAll(fields);
    HttpRequest.Builder request = post("/v1/payments", wanted).timeout(timeout);
    if (idempotencyKey != null) request.header("Idempotency-Key", idempotencyKey);
    return send(request);
  }

  JsonObject capture(String id, String amount) throws IOException, InterruptedException {
    Map<String, String> fields = Map.of("paymentType", "CP", "amount", amount, "currency", "EUR");
    return send(post("/v1/payments/" + id, fields));
  }

  JsonObject refund(String id, String amount) throws IOException, InterruptedException {
    Map<String, String> fields = Map.of("paymentType", "RF", "amount", amount, "currency", "EUR");
    return send(post("/v1/payments/" + id, fields));
  }

  /** The payments with the shop's own order number. */
  JsonObject find(String order) throws IOException, InterruptedException {
    String query = form(Map.of("merchantTransactionId", order));
    return send(HttpRequest.newBuilder(URI.create(url + "/v1/query?" + query)));
  }

  static String codeOf(JsonObject answer) {
    return answer.getAsJsonObject("result").get("code").getAsString();
  }

  static String idOf(JsonObject answer) {
    return answer.get("id").getAsString();
  }

  private HttpRequest.Builder post(String path, Map<String, String> fields) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString(form(fields)));
  }

  /** A decline has another status, and is an answer like any other. */
  private JsonObject send(HttpRequest.Builder request) throws IOException, InterruptedException {
    request.header("Authorization", "Bearer " + ACCESS_TOKEN);
    String body = client.send(request.build(), BodyHandlers.ofString()).body();
    return JsonParser.parseString(body).getAsJsonObject();
  }

  private static String form(Map<String, String> fields) {
    Map<String, String> all = new HashMap<>(fields);
    all.put("entityId", ENTITY_ID);
    return all.entrySet().stream()
        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
