import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A receiver of webhooks. Needs Java 17 and nothing else.
 *
 * <pre>WEBHOOK_SECRETS=&lt;64 hexadecimal digits&gt;[,&lt;the one before&gt;] [PORT=3000] java Receiver.java</pre>
 */
final class Receiver {
  private static final int BODY_BYTES_MAX = 1_048_576;
  private static final Pattern IN_JSON =
      Pattern.compile("\\A\\s*\\{\\s*\"encryptedBody\"\\s*:\\s*\"([0-9A-Fa-f]*)\"\\s*\\}\\s*\\z");

  private static final Pattern SECRET = Pattern.compile("[0-9A-Fa-f]{64}");

  private Receiver() {}

  /**
   * The secrets of a setting; whoever starts without one is to see it at once.
   *
   * @throws IllegalArgumentException for what is none
   */
  static List<String> secretsOf(String setting) {
    List<String> secrets = List.of(setting.split(",", -1));
    for (String secret : secrets) {
      if (!SECRET.matcher(secret).matches()) {
        throw new IllegalArgumentException(
            "WEBHOOK_SECRETS must be 64 hexadecimal digits, or two such secrets with a comma between");
      }
    }
    return secrets;
  }

  /**
   * The JSON of a notification, for the parser that you use anyway.
   *
   * @param secrets while a secret is rotated: the new one and the one before
   * @throws GeneralSecurityException unless one of them has encrypted it, exactly as it is
   * @throws IllegalArgumentException for what is not hexadecimal
   */
  static String opened(String iv, String tag, String body, List<String> secrets)
      throws GeneralSecurityException {
    Matcher json = IN_JSON.matcher(body);
    HexFormat hex = HexFormat.of();
    byte[] ivBytes = hex.parseHex(iv);
    byte[] tagBytes = hex.parseHex(tag);
    byte[] encrypted = hex.parseHex(json.matches() ? json.group(1) : body);
    if (ivBytes.length != 12 || tagBytes.length != 16) {
      throw new GeneralSecurityException("not a notification");
    }
    for (String secret : secrets) {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      SecretKeySpec key = new SecretKeySpec(hex.parseHex(secret), "AES");
      cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, ivBytes));
      cipher.update(encrypted);
      try {
        // Java wants the tag behind the text.
        return new String(cipher.doFinal(tagBytes), StandardCharsets.UTF_8);
      } catch (AEADBadTagException perhapsTheOtherSecret) {
        continue;
      }
    }
    throw new GeneralSecurityException("not encrypted with a secret of ours");
  }

  /** Answers 200 once the notification is kept: whatever else is answered, it comes again. */
  static HttpServer serve(List<String> secrets, Consumer<String> keep, int port)
      throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX);
          int status = 200;
          try {
            String iv = exchange.getRequestHeaders().getFirst("X-Initialization-Vector");
            String tag = exchange.getRequestHeaders().getFirst("X-Authentication-Tag");
            String text = new String(body, StandardCharsets.UTF_8);
            keep.accept(opened(iv == null ? "" : iv, tag == null ? "" : tag, text, secrets));
          } catch (GeneralSecurityException | IllegalArgumentException refused) {
            status = 401;
          }
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  public static void main(String[] words) throws IOException {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
    String secrets = System.getenv().getOrDefault("WEBHOOK_SECRETS", "");
    serve(secretsOf(secrets), System.out::println, port);
    System.out.println("Waiting for notifications at http://127.0.0.1:" + port + "/hook");
  }
}
