package io.slicewise.load.jtl;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;

/**
 * Writes a JMeter result file as a long run would leave it: {@code java LargeFile.java csv|xml ROWS
 * FILE}. The same seed gives the same bytes everywhere.
 *
 * <p>Twenty labels, two of them with commas; 1 % errors, whose failure message holds quotes and a
 * newline; response times lognormal around each label's own median; ends about in order, starts
 * not. CSV has JMeter's 17 default columns, XML the attributes of JMeter 5.
 */
final class LargeFile {
  private static final long SEED = 42;
  private static final long START = 1_700_000_000_000L;
  private static final int USERS = 500;
  private static final double MILLIS_BETWEEN_ROWS = 0.36;
  private static final String HEADER =
      "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
          + "failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n";

  private static final String XML_HEAD =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testResults version=\"1.2\">\n";

  private final Random random = new Random(SEED);
  private final String[] labels = new String[20];
  private final double[] medians = new double[labels.length];
  private final StringBuilder row = new StringBuilder(512);

  private LargeFile() {
    for (int i = 0; i < labels.length; i++) {
      labels[i] = "Page " + (char) ('A' + i) + " - view";
      medians[i] = 5 * Math.pow(1.35, i);
    }
    labels[7] = "Search, by title";
    labels[13] = "Order: basket, address, payment";
  }

  public static void main(String[] arguments) throws IOException {
    write(arguments[0].equals("xml"), Long.parseLong(arguments[1]), Path.of(arguments[2]));
  }

  static void write(boolean xml, long rows, Path file) throws IOException {
    LargeFile generator = new LargeFile();
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      out.write(bytes(xml ? XML_HEAD : HEADER));
      for (long i = 0; i < rows; i++) {
        out.write(bytes(generator.row(i, xml)));
      }
      out.write(bytes(xml ? "</testResults>\n" : ""));
    }
  }

  private String row(long i, boolean xml) {
    int label = random.nextInt(labels.length);
    int elapsed = (int) Math.max(1, medians[label] * Math.exp(0.6 * random.nextGaussian()));
    int latency = Math.max(1, elapsed - random.nextInt(1 + elapsed / 5));
    boolean failed = random.nextInt(100) == 0;
    long start = START + (long) (i * MILLIS_BETWEEN_ROWS) + 2000 - elapsed;
    int user = 1 + random.nextInt(USERS);
    int bytes = 5000 + random.nextInt(2000);
    row.setLength(0);
    return xml
        ? element(start, elapsed, latency, label, failed, user, bytes)
        : line(start, elapsed, latency, label, failed, user, bytes);
  }

  private String line(
      long start, int elapsed, int latency, int label, boolean failed, int user, int bytes) {
    boolean quoted = labels[label].indexOf(',') >= 0;
    row.append(start).append(',').append(elapsed).append(',');
    row.append(quoted ? "\"" : "").append(labels[label]).append(quoted ? "\"," : ",");
    row.append(failed ? "500,Internal Server Error" : "200,OK");
    row.append(",Users 1-").append(user).append(",text,").append(!failed);
    row.append(
        failed
            ? ",\"Test failed: text expected to contain \"\"thanks\"\"\nbut found none\","
            : ",,");
    row.append(bytes).append(",215,").append(USERS).append(',').append(USERS);
    row.append(",http://10.0.0.15:8080/page").append(label).append(',');
    return row.append(latency).append(",0,").append(latency / 10).append('\n').toString();
  }

  private String element(
      long start, int elapsed, int latency, int label, boolean failed, int user, int bytes) {
    return row.append(
            String.format(
                Locale.ROOT,
                "<httpSample t=\"%d\" it=\"0\" lt=\"%d\" ct=\"%d\" ts=\"%d\" s=\"%b\" lb=\"%s\""
                    + " rc=\"%d\" rm=\"%s\" tn=\"Users 1-%d\" dt=\"text\" by=\"%d\" sby=\"215\""
                    + " ng=\"%d\" na=\"%d\"/>\n",
                elapsed,
                latency,
                latency / 10,
                start,
                !failed,
                labels[label],
                failed ? 500 : 200,
                failed ? "Internal Server Error" : "OK",
                user,
                bytes,
                USERS,
                USERS))
        .toString();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
