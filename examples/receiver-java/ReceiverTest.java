import com.sun.net.httpserver.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Without a framework: {@code javac -d built *.java && java -cp built ReceiverTest}. */
final class ReceiverTest {
  private static final String SECRET = "000102030405060708090a0b0c0d0e0f".repeat(2);
  private static final String OTHER = "f".repeat(64);
  private static final String[] SAMPLE = {
    "000000000000000000000000",
    "CE573FB7A41AB78E743180DC83FF09BD",
    "0A3471C72D9BE49A8520F79C66BBD9A12FF9"
  };
  private static final String TOLD = "{\"type\":\"PAYMENT\"}";
  private static int checks;

  private ReceiverTest() {}

  private static void check(boolean holds, String what) {
    checks += 1;
    if (!holds) throw new AssertionError(what);
  }

  private static String read(String[] sent, String... secrets) throws GeneralSecurityException {
    return Receiver.opened(sent[0], sent[1], sent[2], List.of(secrets));
  }

  private static boolean isRefused(int part, String value, String... secrets) {
    String[] changed = SAMPLE.clone();
    changed[part] = value;
    try {
      read(changed, secrets);
      return false;
    } catch (GeneralSecurityException | IllegalArgumentException refused) {
      return true;
    }
  }

  private static int call(HttpServer server, String tag) throws Exception {
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("X-Initialization-Vector", SAMPLE[0])
            .header("X-Authentication-Tag", tag)
            .POST(HttpRequest.BodyPublishers.ofString(SAMPLE[2]))
            .build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  public static void main(String[] words) throws Exception {
    check(read(SAMPLE, SECRET).equals(TOLD), "the published sample is read");
    String json = "{\"encryptedBody\":\"" + SAMPLE[2].toLowerCase() + "\"}";
    String[] inJson = {SAMPLE[0], SAMPLE[1], json};
    check(read(inJson, SECRET.toUpperCase()).equals(TOLD), "in JSON and in either case, too");
    check(read(SAMPLE, OTHER, SECRET).equals(TOLD), "either secret is taken");
    check(isRefused(1, SAMPLE[1], OTHER), "no other secret is");
    for (int part = 0; part < SAMPLE.length; part += 1) {
      for (int bit = 0; bit < SAMPLE[part].length() * 4; bit += 1) {
        byte[] bytes = HexFormat.of().parseHex(SAMPLE[part]);
        bytes[bit >> 3] ^= (byte) (1 << (bit & 7));
        String flipped = HexFormat.of().formatHex(bytes);
        check(isRefused(part, flipped, SECRET), "bit " + bit + " of part " + part);
      }
    }
    check(isRefused(1, SAMPLE[1].substring(0, 8), SECRET), "a tag that was cut is refused");
    check(Receiver.secretsOf(OTHER + "," + SECRET).equals(List.of(OTHER, SECRET)), "both are read");
    for (String setting : List.of("", "abc", SECRET + ",", "g".repeat(64))) {
      boolean isRefused = false;
      try {
        Receiver.secretsOf(setting);
      } catch (IllegalArgumentException refused) {
        isRefused = true;
      }
      check(isRefused, "without a whole secret nothing is received");
    }
    List<String> kept = new ArrayList<>();
    HttpServer server = Receiver.serve(List.of(SECRET), kept::add, 0);
    try {
      check(call(server, SAMPLE[1]) == 200, "what is kept is acknowledged");
      check(call(server, "0".repeat(32)) == 401, "nothing else is");
      check(kept.equals(List.of(TOLD)), "it is kept once");
    } finally {
      server.stop(0);
    }
    System.out.println(checks + " checks passed");
  }
}
