package io.slicewise.load.jtl;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/** Makes up result files, sound and strange, out of a seed; then breaks them. */
final class JtlText {
  static final long T0 = 1_790_000_000_000L;

  private static final String[] ALL_LABELS = {
    "home",
    "Search, by title",
    "say \"hello\"",
    "two\nlines",
    "größe",
    "a",
    "",
    "12345678",
    "123456789",
    "sixteen letters!",
    "seventeen letters",
    "a label that is longer than two words",
    "a&b <c>",
    "-minus",
    "tab\there",
    "semi;colon",
    "https://shop.example/item?id=1&x=2",
    "a-0",
    "a-1-2",
    "-0"
  };
  private static final String[] ODD_NUMBERS = {
    "",
    "-1",
    "-0",
    "12a",
    "86400000",
    "86400001",
    "99999999999999999999",
    "1e3",
    " 5",
    "007",
    "\"7\"",
    "12345678",
    "2147483648",
    "-99999999999999999999"
  };
  private static final String[] DATES = {
    "yyyy/MM/dd HH:mm:ss.SSS",
    "yyyy-MM-dd HH:mm:ss,SSS",
    "yyyy/MM/dd HH:mm:ss",
    "yyyy-MM-dd'T'HH:mm:ss.SSSxx",
    "dd.MM.yyyy HH:mm:ss",
    "MM/dd/yyyy HH:mm:ss.SSS"
  };

  private final Random random;
  private final String[] labels = new String[3];
  private final StringBuilder text = new StringBuilder();
  private final double oddness;
  private final Optional<DateTimeFormatter> dates;
  private final String lineEnd;
  private char delimiter;
  private List<String> columns;
  private long now = T0;
  private long requestStart = T0;
  private int requestLength;
  private String request = "a";
  private String label = "a";
  private int length;
  private boolean bare;

  private JtlText(long seed) {
    random = new Random(seed);
    java.util.Arrays.setAll(labels, i -> any(ALL_LABELS));
    oddness = random.nextBoolean() ? 0 : 0.15 * random.nextDouble();
    dates =
        random.nextInt(6) == 0
            ? Optional.of(DateTimeFormatter.ofPattern(any(DATES), Locale.ROOT))
            : Optional.empty();
    lineEnd = random.nextInt(4) == 0 ? "\r\n" : "\n";
  }

  /** A file of up to some dozen samples. */
  static byte[] of(long seed) {
    JtlText file = new JtlText(seed);
    int rows = file.random.nextInt(24);
    if (file.random.nextInt(3) == 0) {
      file.xml(rows);
    } else {
      file.csv(rows);
    }
    byte[] whole = file.text.toString().getBytes(StandardCharsets.UTF_8);
    boolean cut = file.random.nextInt(4) == 0;
    return cut ? java.util.Arrays.copyOf(whole, file.random.nextInt(whole.length + 1)) : whole;
  }

  /** Rows enough for several of the stretches that CSV is read in, some of them longer than one. */
  static byte[] manyRows(long seed) {
    JtlText file = new JtlText(seed);
    file.csv(600);
    int at = file.text.length() / 2;
    if (file.random.nextBoolean()) {
      int length = 1 + file.random.nextInt(2 * FieldEnds.LONGEST);
      file.text.insert(at, "y".repeat(length));
    }
    return file.text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The same bytes with a few changed, lost, doubled or put in. */
  static byte[] mutated(byte[] sound, Random random) {
    List<Byte> bytes = new ArrayList<>(sound.length);
    for (byte letter : sound) {
      bytes.add(letter);
    }
    String inserts = "\"\"\n\r,;<>/='&\0-0129tf \u00ff\u00c3<httpSample \"\n1790000000000,";
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      int at = random.nextInt(bytes.size() + 1);
      int length = Math.min(bytes.size() - at, random.nextInt(30));
      switch (random.nextInt(4)) {
        case 0 -> bytes.add(at, (byte) inserts.charAt(random.nextInt(inserts.length())));
        case 1 -> bytes.subList(at, at + length).clear();
        case 2 -> bytes.addAll(at, new ArrayList<>(bytes.subList(at, at + length)));
        default -> {
          if (at < bytes.size()) {
            bytes.set(at, (byte) inserts.charAt(random.nextInt(inserts.length())));
          }
        }
      }
    }
    byte[] broken = new byte[bytes.size()];
    for (int i = 0; i < broken.length; i++) {
      broken[i] = bytes.get(i);
    }
    return broken;
  }

  private boolean odd() {
    return random.nextDouble() < oddness;
  }

  private <T> T any(T[] values) {
    return values[random.nextInt(values.length)];
  }

  private void csv(int rows) {
    delimiter = random.nextInt(3) == 0 ? any(new Character[] {';', '\t', '|', '^', ':', ' '}) : ',';
    newColumns();
    text.append(random.nextInt(10) == 0 ? "\ufeff" : "");
    if (random.nextInt(5) > 0) {
      header();
    } else {
      columns = ReductionOptions.DEFAULT_COLUMNS;
      delimiter = ',';
    }
    for (int i = 0; i < rows; i++) {
      if (odd()) {
        oddLine();
      } else {
        row();
      }
    }
  }

  private void newColumns() {
    columns = new ArrayList<>(ReductionOptions.DEFAULT_COLUMNS);
    if (random.nextBoolean()) {
      Collections.shuffle(columns, random);
      columns =
          columns.stream()
              .filter(
                  name ->
                      name.equals("timeStamp") || name.equals("elapsed") || random.nextInt(3) > 0)
              .toList();
    }
  }

  private void header() {
    text.append(String.join(String.valueOf(delimiter), columns)).append(lineEnd);
  }

  private void oddLine() {
    switch (random.nextInt(7)) {
      case 0 -> text.append(lineEnd);
      case 1 -> text.append("\0\0\0\0\0\0\0\0\0").append(random.nextBoolean() ? lineEnd : "");
      case 2 -> header();
      case 3 -> {
        newColumns();
        header();
      }
      case 4 -> text.append("12,\"never closed").append(random.nextBoolean() ? lineEnd : "");
      case 5 -> text.append(T0).append(delimiter).append(lineEnd);
      default -> text.append("x".repeat(random.nextInt(400))).append(delimiter).append(lineEnd);
    }
  }

  private void row() {
    now += random.nextInt(400) - (odd() ? 5000 : 0);
    boolean failed = random.nextInt(5) == 0;
    boolean transaction = random.nextInt(8) == 0;
    bare = random.nextInt(5) == 0;
    newRequest();
    List<String> fields = new ArrayList<>();
    for (String column : columns) {
      fields.add(odd() ? any(ODD_NUMBERS) : field(column, failed, transaction));
    }
    if (odd()) {
      fields.add("one more");
    }
    text.append(String.join(String.valueOf(delimiter), fields)).append(lineEnd);
  }

  private String field(String column, boolean failed, boolean transaction) {
    return switch (column) {
      case "timeStamp" -> stamp();
      case "elapsed" -> String.valueOf(length);
      case "Latency", "Connect", "IdleTime" -> String.valueOf(millis());
      case "label" -> quoted(label);
      case "threadName" -> quoted("Users 1-" + random.nextInt(2));
      case "dataType" -> bare ? "" : "text";
      case "URL" -> bare ? quoted(random.nextBoolean() ? "null" : "") : quoted("http://a/");
      case "responseCode" ->
          quoted(failed ? any(new String[] {"500", "404", "Non, \"x\""}) : "200");
      case "responseMessage" -> quoted(bare && !transaction ? "" : message(transaction));
      case "success" -> failed ? "false" : odd() ? "TRUE" : "true";
      case "failureMessage" -> quoted(failed ? "expected \"a, b\"\nbut got none" : "");
      case "bytes", "sentBytes", "grpThreads", "allThreads" ->
          String.valueOf(random.nextInt(90000));
      default -> quoted(random.nextInt(9) == 0 ? "a, b" : "text");
    };
  }

  private String stamp() {
    String millis = String.valueOf(odd() ? now / 1000 : now);
    return dates
        .map(pattern -> quoted(pattern.format(Instant.ofEpochMilli(now).atOffset(ZoneOffset.UTC))))
        .orElse(millis);
  }

  /**
   * Draws a label and a time, often those of a part of the request before or of a sum around it.
   */
  private void newRequest() {
    label = any(labels);
    length = millis();
    boolean part = random.nextInt(3) == 0;
    if (part) {
      label = request + "-" + random.nextInt(3);
      now = requestStart + (requestLength == 0 ? 0 : random.nextInt(requestLength));
      length = random.nextInt((int) Math.max(1, requestStart + requestLength - now + 2));
    } else if (bare && random.nextBoolean()) {
      now = requestStart - random.nextInt(2);
      length = requestLength + random.nextInt(4);
    } else {
      request = label;
      requestStart = now;
      requestLength = length;
    }
  }

  private int millis() {
    return random.nextInt(8) == 0 ? random.nextInt(200_000) : random.nextInt(3000);
  }

  private static String message(boolean transaction) {
    return transaction
        ? "Number of samples in transaction : 3, number of failing samples : 0"
        : "OK";
  }

  private String quoted(String value) {
    boolean must = value.matches("(?s).*[,;|^: \t\n\r\"].*");
    return must || random.nextInt(20) == 0 ? '"' + value.replace("\"", "\"\"") + '"' : value;
  }

  private void xml(int rows) {
    text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").append(lineEnd);
    text.append("<testResults version=\"1.2\">").append(lineEnd);
    for (int i = 0; i < rows; i++) {
      element(0);
    }
    text.append(odd() ? "" : "</testResults>" + lineEnd);
  }

  private void element(int depth) {
    String name =
        random.nextInt(8) == 0 ? "web.Sample" : random.nextBoolean() ? "httpSample" : "sample";
    text.append("  ".repeat(random.nextInt(3) == 0 ? 0 : depth)).append('<').append(name);
    boolean transaction = random.nextInt(6) == 0;
    String gap = odd() ? "\n  " : " ";
    now += random.nextInt(400);
    bare = random.nextInt(4) == 0;
    newRequest();
    String own = label;
    attribute(gap, "t", String.valueOf(length));
    attribute(gap, "lt", String.valueOf(millis()));
    attribute(gap, "ts", String.valueOf(now));
    attribute(gap, "s", random.nextInt(5) == 0 ? "false" : "true");
    attribute(gap, "lb", escaped(own));
    attribute(gap, "rc", random.nextBoolean() ? "200" : "500");
    attribute(gap, "rm", bare && !transaction ? "" : message(transaction));
    attribute(gap, "tn", "Users 1-1");
    if (!bare) {
      attribute(gap, "dt", "text");
    }
    if (random.nextInt(4) == 0) {
      attribute(gap, "it", String.valueOf(millis()));
    }
    attribute(gap, "by", String.valueOf(random.nextInt(9000)));
    if (random.nextBoolean()) {
      attribute(gap, "sby", "100");
      attribute(gap, "na", String.valueOf(random.nextInt(50)));
    }
    if (depth < 3 && random.nextInt(3) == 0) {
      text.append('>').append(lineEnd);
      for (int i = random.nextInt(3); i > 0; i--) {
        element(depth + 1);
      }
      text.append(odd() ? "<!-- <sample t=\"1\"/> -->" : "");
      text.append("  <java.net.URL>http://a/?b=1&amp;c=2</java.net.URL>").append(lineEnd);
      text.append("</").append(name).append('>').append(lineEnd);
    } else {
      text.append("/>").append(lineEnd);
    }
  }

  private void attribute(String gap, String name, String value) {
    if (!odd()) {
      String quote = odd() ? "'" : "\"";
      text.append(gap).append(name).append('=').append(quote);
      text.append(odd() ? any(ODD_NUMBERS).replace("\"", "") : value).append(quote);
    }
  }

  private static String escaped(String value) {
    return value
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("\n", "&#xa;");
  }
}
