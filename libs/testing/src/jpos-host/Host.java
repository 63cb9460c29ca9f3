import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jpos.iso.IFB_NUMERIC;
import org.jpos.iso.ISOException;
import org.jpos.iso.ISOFieldPackager;
import org.jpos.iso.ISOMsg;
import org.jpos.iso.ISOPackager;
import org.jpos.iso.ISORequestListener;
import org.jpos.iso.ISOServer;
import org.jpos.iso.ISOServerSocketFactory;
import org.jpos.iso.ISOSource;
import org.jpos.iso.ISOUtil;
import org.jpos.iso.channel.PostChannel;
import org.jpos.iso.packager.ISO87APackager;
import org.jpos.iso.packager.ISO87BPackager;
import org.jpos.iso.packager.ISO93APackager;
import org.jpos.iso.packager.ISO93BPackager;
import org.jpos.util.ThreadPool;

/**
 * The host of an acquirer, for tests: it speaks ISO 8583 by jPOS's server, channel and packager, and
 * shares nothing with Sluice. It keeps a ledger in a file, so that it can be killed and started again.
 *
 * <p>Arguments: the port (0: any), the ledger's file, "1987" or "1993", "ascii" or "binary". It prints its
 * two ports. By HTTP on the second it serves the ledger, and says what it reads in a message.
 *
 * <p>The card number says what becomes of a request: its digits 9 and 10 are the response code, 11 and 12
 * what becomes of the answer. The code is one of 1987 in either version, as in the ledger; what goes over
 * the wire in 1993 is the action code of the same meaning. A message without a card is approved, and the
 * last two digits of its amount say what becomes of the answer, if they are one of these numbers.
 */
public final class Host implements ISORequestListener {
  /** What becomes of an answer: digits 11 and 12 of the card number. */
  private static final String ANSWERED = "00";

  private static final String DROPPED_BEFORE_BOOKING = "01";
  private static final String DROPPED_AFTER_BOOKING = "02";
  private static final String ANSWERED_TWICE = "03";
  private static final String ANSWERED_LATE = "04";
  private static final String CLOSED_AFTER_BOOKING = "05";
  private static final String KILLED_AFTER_BOOKING = "06";

  private static final int LATE_MS = 1_200;
  private static final int THREADS = 16;

  /** A line of the ledger. */
  private record Booking(
      String reference, String type, String amount, String currency, String code, String key,
      String retrievalReference, String authCode) {
    String line(String status) {
      return String.join("\t", status, reference, type, amount, currency, code, key, retrievalReference, authCode);
    }
  }

  /** The action codes of 1993 by the response codes of 1987. */
  private static final Map<String, String> ACTION_CODES = Map.of(
      "00", "000", "10", "002", "12", "902", "25", "914", "30", "904", "51", "116", "64", "110", "94", "913", "96", "909");
  /** What is accepted has a code for each kind of message there. */
  private static final Map<String, String> ACCEPTED = Map.of("4", "400", "8", "800");
  private static final String ADVICE_ACCEPTED = "901";
  /** What nobody repeats to who has said it, in either version. */
  private static final int[] NOT_ECHOED = {2, 14, 18, 22, 24, 25, 26, 30, 48, 56, 90};

  private final Path ledger;
  /** Whether it speaks 1993. */
  private final boolean isOf1993;
  private final ScheduledExecutorService late = Executors.newSingleThreadScheduledExecutor();
  private final Map<String, Booking> byKey = new HashMap<>();
  private final Map<String, Boolean> isReversed = new HashMap<>();
  /** Requests that had the key of another one. */
  private final List<String> collisions = new ArrayList<>();

  private Host(Path ledger, String version) throws IOException {
    this.ledger = ledger;
    this.isOf1993 = version.equals("1993");
    if (!Files.exists(ledger)) return;
    for (String line : Files.readAllLines(ledger)) {
      String[] part = line.split("\t", -1);
      if (part[0].equals("booked")) {
        byKey.put(part[6], new Booking(part[1], part[2], part[3], part[4], part[5], part[6], part[7], part[8]));
      } else {
        isReversed.put(part[6], true);
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    Host host = new Host(Path.of(arguments[1]), arguments[2]);
    ISOPackager packager = host.packager(arguments[3].equals("binary"));
    ISOServer server = new ISOServer(Integer.parseInt(arguments[0]), new PostChannel(packager), new ThreadPool(1, THREADS));
    HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/ledger", exchange -> {
      byte[] body = host.text().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    http.createContext("/message", exchange -> {
      byte[] body = read(packager, exchange.getRequestBody().readAllBytes()).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    http.start();
    server.setSocketFactory(new ISOServerSocketFactory() {
      @Override
      public ServerSocket createServerSocket(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        System.out.println("ports " + socket.getLocalPort() + " " + http.getAddress().getPort());
        return socket;
      }
    });
    server.addISORequestListener(host);
    server.run();
  }

  private ISOPackager packager(boolean isBinary) {
    if (!isOf1993) return isBinary ? new ISO87BPackager() : new ISO87APackager();
    if (!isBinary) return new ISO93APackager();
    // Of an odd number of digits jPOS has the zero behind them, in this packager alone. The standard fills
    // digits of fixed length from the left.
    ISO93BPackager packager = new ISO93BPackager();
    for (int field = 0; field <= 128; field++) {
      ISOFieldPackager each = packager.getFieldPackager(field);
      if (each instanceof IFB_NUMERIC numeric) numeric.setPad(true);
    }
    return packager;
  }

  /** What jPOS reads in a message: type and, as jPOS writes it, the whole; then each field. */
  private static String read(ISOPackager packager, byte[] message) throws IOException {
    try {
      ISOMsg read = new ISOMsg();
      read.setPackager(packager);
      read.unpack(message);
      StringBuilder text = new StringBuilder(read.getMTI() + "\t" + ISOUtil.hexString(read.pack()) + "\n");
      for (int field = 2; field <= 128; field++) {
        if (!read.hasField(field)) continue;
        Object value = read.getValue(field);
        text.append(field).append('\t');
        text.append(value instanceof byte[] bytes ? ISOUtil.hexString(bytes) : value).append('\n');
      }
      return text.toString();
    } catch (ISOException error) {
      return "unreadable\t\n0\t" + error.getMessage() + "\n";
    }
  }

  /** Each booking with what became of it. */
  private synchronized String text() {
    StringBuilder text = new StringBuilder();
    for (Booking booking : byKey.values()) {
      String status = isReversed.containsKey(booking.key()) ? "reversed" : "booked";
      text.append(booking.line(status)).append('\n');
    }
    for (String reference : collisions) text.append("collision\t").append(reference).append('\n');
    return text.toString();
  }

  @Override
  public boolean process(ISOSource source, ISOMsg request) {
    try {
      String mti = request.getMTI();
      if (mti.charAt(1) == '8') {
        answer(source, request, "00", null);
      } else if (mti.charAt(1) == '4') {
        reversal(source, request);
      } else {
        transaction(source, request);
      }
    } catch (ISOException error) {
      error.printStackTrace();
    } catch (IOException ignored) {
      // Whoever asked is gone.
    }
    return true;
  }

  private void transaction(ISOSource source, ISOMsg request) throws ISOException, IOException {
    String card = request.hasField(2) ? request.getString(2) : "4200000000000000";
    String code = card.substring(8, 10);
    String delivery = request.hasField(2) ? card.substring(10, 12) : deliveryByAmount(request);
    if (delivery.equals(DROPPED_BEFORE_BOOKING)) return;
    String key = keyOf(request);
    Booking booking;
    synchronized (this) {
      Booking known = byKey.get(key);
      if (known != null && !known.reference().equals(request.getString(62))) {
        collisions.add(request.getString(62));
        answer(source, request, "94", null);
        return;
      }
      String fault = faultOf(request);
      if (fault != null) {
        answer(source, request, fault, null);
        return;
      }
      // A message that is not understood is not booked.
      if (code.equals("30")) {
        answer(source, request, code, null);
        return;
      }
      booking = known != null ? known : new Booking(request.getString(62), request.getMTI(), request.getString(4),
          request.getString(49), code, key, request.getString(37), String.format("%06d", byKey.size() % 1_000_000));
      if (known == null) {
        append(booking.line("booked"));
        byKey.put(key, booking);
      }
    }
    switch (delivery) {
      case ANSWERED -> answer(source, request, code, booking);
      case DROPPED_AFTER_BOOKING -> {}
      case ANSWERED_TWICE -> {
        answer(source, request, code, booking);
        answer(source, request, code, booking);
      }
      case ANSWERED_LATE -> late.schedule(() -> {
        try {
          answer(source, request, code, booking);
        } catch (ISOException | IOException ignored) {
          // Whoever asked is gone.
        }
      }, LATE_MS, TimeUnit.MILLISECONDS);
      case CLOSED_AFTER_BOOKING -> ((org.jpos.iso.BaseChannel) source).disconnect();
      case KILLED_AFTER_BOOKING -> Runtime.getRuntime().halt(1);
      default -> throw new ISOException("no such delivery: " + delivery);
    }
  }

  /** What its last two digits say, of a message that has no card. */
  private static String deliveryByAmount(ISOMsg request) {
    String amount = request.getString(4);
    String said = amount.substring(amount.length() - 2);
    return said.compareTo(KILLED_AFTER_BOOKING) < 0 ? said : ANSWERED;
  }

  /** A reversal that is to be lost is lost once: of what is reversed already, it says so. */
  private void reversal(ISOSource source, ISOMsg request) throws ISOException, IOException {
    boolean isFirst;
    String code;
    synchronized (this) {
      int before = isReversed.size();
      code = reversed(request);
      isFirst = isReversed.size() > before;
    }
    if (isFirst && deliveryByAmount(request).equals(DROPPED_AFTER_BOOKING)) return;
    answer(source, request, code, null);
  }

  /** Why a request is declined whatever its card says; null if it is not. */
  private String faultOf(ISOMsg request) throws ISOException {
    boolean isAdvice = request.getMTI().charAt(2) == '2';
    Booking original = isAdvice ? original(request) : null;
    if (isAdvice && original == null) return "25";
    if (!isOf1993) return null;
    // The function code has to say what the message is.
    String function = request.getString(24);
    if (!isAdvice) return request.getMTI().equals("1" + function) ? null : "12";
    return switch (function) {
      case "201" -> original.amount().equals(request.getString(4)) ? null : "64";
      case "202" -> original.amount().equals(request.getString(30).substring(0, 12)) ? null : "64";
      default -> "12";
    };
  }

  /** The response code of a reversal. It is found by all that names the original, and by nothing less. */
  private synchronized String reversed(ISOMsg request) throws ISOException, IOException {
    Booking original = original(request);
    if (original == null || !original.retrievalReference().equals(request.getString(37))) return "25";
    if (isOf1993 && !(request.getString(24).equals("400") && request.getString(25).startsWith("40"))) return "12";
    if (!original.currency().equals(request.getString(49))) return "12";
    if (!original.amount().equals(request.getString(4))) return "64";
    if (!isReversed.containsKey(original.key())) {
      append(original.line("reversed"));
      isReversed.put(original.key(), true);
    }
    return "00";
  }

  /** What field 90 names, or field 56 of 1993. */
  private Booking original(ISOMsg request) throws ISOException {
    String data = request.getString(isOf1993 ? 56 : 90);
    if (isOf1993 && !data.substring(22).equals(String.format("%02d", request.getString(32).length()) + request.getString(32))) {
      return null;
    }
    String time = data.substring(10, isOf1993 ? 22 : 20);
    Booking booking = byKey.get(request.getString(41).trim() + " " + time + " " + data.substring(4, 10));
    return booking != null && booking.type().equals(data.substring(0, 4)) ? booking : null;
  }

  private String keyOf(ISOMsg request) throws ISOException {
    return request.getString(41).trim() + " " + request.getString(isOf1993 ? 12 : 7) + " " + request.getString(11);
  }

  /** In the file before anybody hears of it. */
  private void append(String line) throws IOException {
    Files.writeString(ledger, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private String onTheWire(String code, ISOMsg request) throws ISOException {
    if (!isOf1993) return code;
    if (!code.equals("00")) return ACTION_CODES.get(code);
    String type = request.getMTI();
    return type.equals("1220") ? ADVICE_ACCEPTED : ACCEPTED.getOrDefault(type.substring(1, 2), "000");
  }

  private void answer(ISOSource source, ISOMsg request, String code, Booking booking)
      throws ISOException, IOException {
    ISOMsg answer = (ISOMsg) request.clone();
    answer.setResponseMTI();
    for (int field : NOT_ECHOED) answer.unset(field);
    answer.set(39, onTheWire(code, request));
    if (booking != null) {
      if (code.equals("00") || code.equals("10")) answer.set(38, booking.authCode());
      answer.set(48, "8301Y8701M");
      // Half of it, where only a part is approved.
      if (code.equals("10")) {
        answer.set(4, String.format("%012d", Long.parseLong(request.getString(4)) / 2));
        if (isOf1993) answer.set(30, request.getString(4) + "0".repeat(12));
      }
    }
    source.send(answer);
  }
}
