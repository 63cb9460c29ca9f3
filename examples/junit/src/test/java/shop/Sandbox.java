package shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sandbox that the environment names, or one of our own. */
final class Sandbox implements AutoCloseable {
  private static final Pattern READY =
      Pattern.compile(
          "^Management on (\\S+): .*^Sluice is ready on (\\S+)$",
          Pattern.MULTILINE | Pattern.DOTALL);

  final String url;
  private final String management;
  private final Process process;
  private final BufferedReader output;

  private Sandbox(String url, String management, Process process, BufferedReader output) {
    this.url = url;
    this.management = management;
    this.process = process;
    this.output = output;
  }

  static Sandbox start() throws IOException {
    String url = System.getenv("SLUICE_URL");
    String management = System.getenv("SLUICE_MANAGEMENT_URL");
    if (url != null && management != null) return new Sandbox(url, management, null, null);

    // Its data stays in the folder .sluice, so that the next start is quicker.
    List<String> command = List.of("npx", "--no", "--", "sluice-sandbox", "--port", "0");
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader output = process.inputReader();
    StringBuilder printed = new StringBuilder();
    Matcher ready = READY.matcher(printed);
    while (!ready.reset().find()) {
      String line = output.readLine();
      if (line == null) {
        throw new IllegalStateException("The sandbox did not start. It printed:\n" + printed);
      }
      printed.append(line).append('\n');
    }
    return new Sandbox(ready.group(2), ready.group(1), process, output);
  }

  /** Forgets everything that was paid. */
  void reset() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(management + "/reset"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    int status = HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
    if (status != 200) throw new IllegalStateException("The sandbox was not reset: " + status);
  }

  @Override
  public void close() throws IOException {
    if (process == null) return;
    // By its handle, which leaves the output open: npx ends before the sandbox itself does.
    process.toHandle().destroy();
    while (output.readLine() != null) {}
  }
}
