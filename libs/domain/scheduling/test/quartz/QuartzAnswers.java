import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.TimeZone;
import org.quartz.CronExpression;

/**
 * What Quartz says: for each line "seconds since the epoch, tab, expression" of the standard input one
 * line with the next dates after it in UTC, in seconds since the epoch with commas between.
 */
public final class QuartzAnswers {
  private static final int DATES = 50;
  /** 2100-01-01T00:00:00Z: schedules have the years up to 2099. */
  private static final long END_SECONDS = 4_102_444_800L;

  public static void main(String[] arguments) throws Exception {
    TimeZone utc = TimeZone.getTimeZone("UTC");
    TimeZone.setDefault(utc);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    BufferedWriter out =
        new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      int tab = line.indexOf('\t');
      CronExpression expression = new CronExpression(line.substring(tab + 1));
      expression.setTimeZone(utc);
      Date date = new Date(Long.parseLong(line.substring(0, tab)) * 1000);
      StringBuilder dates = new StringBuilder();
      for (int count = 0; count < DATES; count++) {
        date = expression.getNextValidTimeAfter(date);
        if (date == null || date.getTime() / 1000 >= END_SECONDS) break;
        if (count > 0) dates.append(',');
        dates.append(date.getTime() / 1000);
      }
      out.write(dates.append('\n').toString());
    }
    out.flush();
  }
}
