package io.slicewise.load.jtl;

import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.Format.ReaderLimits;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a result file says, worked out in the most straightforward way there is: the whole file as
 * one text, one letter after the other, every sample kept. Slow, and written apart from the code it
 * judges.
 */
final class ReferenceReduction {
  /** One label's samples. */
  static final class Label {
    final List<Long> elapsed = new ArrayList<>();
    final List<Long> latency = new ArrayList<>();
    final Map<String, Long> errors = new HashMap<>();
    long failed;
    long received;
    long sent;
  }

  /** One second's samples. */
  static final class Second {
    final List<Long> elapsed = new ArrayList<>();
    long failed;
    long threads = -1;
  }

  final Map<String, Label> labels = new LinkedHashMap<>();
  final TreeMap<Long, Second> seconds = new TreeMap<>();

  /** Requests where transactions count by label. */
  final Label requests = new Label();

  final TreeMap<Long, Second> requestSeconds = new TreeMap<>();
  final Map<DamageKind, List<Long>> damage = new EnumMap<>(DamageKind.class);
  long outsideWindow;
  long leftOut;
  long parts;
  long inferred;
  long sound;
  long firstStart = Long.MAX_VALUE;
  long lastEnd = Long.MIN_VALUE;
  boolean refused;

  private final String text;
  private final int[] lines;
  private final ReductionOptions options;
  private final ReaderLimits limits;
  private final long start;
  private final long end;
  private final boolean windowed;
  private boolean xml;
  private long previous;
  private List<String> columns;
  private char delimiter = ',';

  /** One sample's values by CSV's names. */
  private Map<String, String> sample = new HashMap<>();

  /** Whether some attribute or field shows that it is no sum. */
  private boolean described;

  private boolean holdsRequests;

  /** Whether its time is a date without milliseconds. */
  private boolean coarse;

  private final List<ReferenceRow> rows = new ArrayList<>();

  /**
   * @param start in milliseconds; with {@code end} equal, everything counts
   */
  ReferenceReduction(
      byte[] file, ReductionOptions options, ReaderLimits limits, long start, long end) {
    text = new String(inUtf8(file), StandardCharsets.ISO_8859_1);
    this.options = options;
    this.limits = limits;
    windowed = start != end;
    this.start = windowed ? start : Long.MIN_VALUE;
    this.end = windowed ? end : Long.MAX_VALUE;
    columns = options.columns();
    lines = new int[text.length() + 1];
    lines[0] = 1;
    for (int i = 0; i < text.length(); i++) {
      lines[i + 1] = lines[i] + (text.charAt(i) == '\n' ? 1 : 0);
    }
    String head = text.startsWith("\u00ef\u00bb\u00bf") ? text.substring(3) : text;
    xml = head.stripLeading().startsWith("<");
    if (xml) {
      readXml();
    } else {
      readCsv();
    }
    ReferenceRow.classify(rows);
    rows.forEach(this::count);
  }

  /** The file as if it had been written in UTF-8. */
  private byte[] inUtf8(byte[] file) {
    Matcher declaration = DECLARATION.matcher(new String(file, StandardCharsets.ISO_8859_1));
    if (!declaration.find() || declaration.group(1).matches("(?i)utf-?8|(us-)?ascii")) {
      return file;
    }
    try {
      return new String(file, Charset.forName(declaration.group(1)))
          .getBytes(StandardCharsets.UTF_8);
    } catch (IllegalArgumentException unknown) {
      refused = true;
      return file;
    }
  }

  private static final Pattern DECLARATION =
      Pattern.compile("^\\s*<[?]xml [^<>]*encoding=[\"']([^\"'<>]+)[\"']");

  private long lineOf(int place) {
    return lines[place];
  }

  private void note(DamageKind kind, long line) {
    damage.computeIfAbsent(kind, none -> new ArrayList<>()).add(line);
  }

  // CSV

  private void readCsv() {
    divideFirstLine();
    int at = 0;
    while (at < text.length()) {
      int limit = Math.min(text.length(), at + limits.row());
      List<String> fields = new ArrayList<>();
      int next = fields(at, limit, fields);
      DamageKind fault = next >= 0 ? sampleFault(fields) : null;
      if (fault != null && fault != DamageKind.UNTIMED && text.charAt(next - 1) != '\n') {
        fault = DamageKind.CUT_ROW;
      }
      if (next >= 0 && fault == null) {
        add(lineOf(at));
        at = next;
        continue;
      }
      int lineEnd = text.indexOf('\n', at);
      boolean lineEndsHere = lineEnd >= 0 && lineEnd < limit;
      if (next == BROKEN || (next == OPEN && lineEndsHere)) {
        fault = DamageKind.BAD_QUOTES;
      } else if (next == OPEN) {
        fault = text.length() - at <= limits.row() ? DamageKind.CUT_ROW : DamageKind.TOO_LONG;
      }
      String line = text.substring(at, lineEndsHere ? lineEnd : limit);
      if (isHeader(line)) {
        if (lineOf(at) > 1) {
          note(DamageKind.NEW_HEADER, lineOf(at));
        }
      } else {
        note(line.indexOf('\0') >= 0 ? DamageKind.NUL_BYTES : fault, lineOf(at));
      }
      at = lineEnd < 0 ? text.length() : lineEnd + 1;
    }
  }

  /** Without a header, the delimiter is the one that divides the first line into the columns. */
  private void divideFirstLine() {
    String head = text.substring(0, Math.min(text.length(), limits.row()));
    String line = head.replaceFirst("^\u00ef\u00bb\u00bf", "").split("\n", 2)[0];
    if (isHeader(line)) {
      return;
    }
    for (char usual : ",;\t|^".toCharArray()) {
      String unquoted = line.replaceAll("\"[^\"]*\"", "");
      if (unquoted.split(Pattern.quote(String.valueOf(usual)), -1).length == columns.size()) {
        delimiter = usual;
        return;
      }
    }
  }

  private static final int OPEN = -1;
  private static final int BROKEN = -2;

  private int fields(int from, int limit, List<String> fields) {
    int at = from == 0 && text.startsWith("\u00ef\u00bb\u00bf") ? 3 : from;
    boolean last = limit == text.length();
    while (true) {
      StringBuilder field = new StringBuilder();
      if (at < limit && text.charAt(at) == '"') {
        at++;
        while (true) {
          if (at >= limit) {
            return OPEN;
          }
          char letter = text.charAt(at++);
          if (letter != '"') {
            field.append(letter);
          } else if (at < limit && text.charAt(at) == '"') {
            field.append('"');
            at++;
          } else {
            break;
          }
        }
        if (at >= limit || (text.charAt(at) == '\r' && at + 1 == limit)) {
          fields.add(field.toString());
          return last ? limit : OPEN;
        }
        if (text.startsWith("\r\n", at)) {
          at++;
        }
      } else {
        while (at < limit && text.charAt(at) != delimiter && text.charAt(at) != '\n') {
          field.append(text.charAt(at++));
        }
        int length = field.length();
        if (at >= limit) {
          boolean returns = length > 0 && field.charAt(length - 1) == '\r';
          fields.add(returns ? field.substring(0, length - 1) : field.toString());
          return last ? limit : OPEN;
        }
        if (text.charAt(at) == '\n' && length > 0 && field.charAt(length - 1) == '\r') {
          field.setLength(length - 1);
        }
      }
      fields.add(field.toString());
      char end = text.charAt(at++);
      if (end == '\n') {
        return at;
      }
      if (end != delimiter) {
        return BROKEN;
      }
    }
  }

  private boolean isHeader(String line) {
    String stripped = line.replace("\u00ef\u00bb\u00bf", "").strip();
    for (char delimiting : ",;\t|^: !#$%&'()*+-./<=>?@[\\]_`{}~".toCharArray()) {
      List<String> names = new ArrayList<>();
      for (String name : stripped.split(Pattern.quote(String.valueOf(delimiting)), -1)) {
        boolean quoted = name.length() > 1 && name.startsWith("\"") && name.endsWith("\"");
        names.add(quoted ? name.substring(1, name.length() - 1) : name);
      }
      if (names.contains("timeStamp") && names.contains("elapsed")) {
        columns = names;
        delimiter = delimiting;
        return true;
      }
    }
    return false;
  }

  private DamageKind sampleFault(List<String> fields) {
    if (fields.size() != columns.size()) {
      return fields.size() < columns.size()
          ? DamageKind.TOO_FEW_FIELDS
          : DamageKind.TOO_MANY_FIELDS;
    }
    sample.clear();
    coarse = false;
    holdsRequests = false;
    for (int i = 0; i < fields.size(); i++) {
      if (columns.lastIndexOf(columns.get(i)) == i) {
        sample.put(columns.get(i), fields.get(i));
        DamageKind fault = valueFault(columns.get(i), fields.get(i));
        if (fault != null) {
          return fault;
        }
      }
    }
    described =
        !sample.getOrDefault("responseMessage", "").isEmpty()
            || !sample.getOrDefault("dataType", "").isEmpty()
            || !List.of("", "null").contains(sample.getOrDefault("URL", ""));
    return timeFault();
  }

  private DamageKind timeFault() {
    boolean untimed = sample.get("timeStamp").matches("-?0+");
    boolean success = !sample.getOrDefault("success", "true").equalsIgnoreCase("false");
    return !untimed ? null : success || hasMessage() ? DamageKind.ABSURD : DamageKind.UNTIMED;
  }

  private DamageKind valueFault(String name, String value) {
    return switch (name) {
      case "success" ->
          value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")
              ? null
              : DamageKind.BAD_SUCCESS;
      case "timeStamp", "elapsed", "Latency", "allThreads", "bytes", "sentBytes" ->
          numberFault(name, value);
      default -> null;
    };
  }

  private DamageKind numberFault(String name, String value) {
    boolean needed = name.equals("timeStamp") || name.equals("elapsed");
    if (value.isEmpty() && !needed) {
      return null;
    }
    String number = name.equals("timeStamp") ? millisOfDate(value) : value;
    if (!NUMBER.matcher(number).matches()) {
      return name.equals("timeStamp") ? DamageKind.BAD_STAMP : DamageKind.BAD_NUMBER;
    }
    java.math.BigInteger exact = new java.math.BigInteger(number);
    int digits = number.replace("-", "").length();
    if (value.startsWith("-") && (exact.signum() < 0 || digits > 18)) {
      return DamageKind.NEGATIVE;
    }
    long least = name.equals("timeStamp") ? 946684800000L : 0;
    long most =
        switch (name) {
          case "timeStamp" -> 4102444799999L;
          case "elapsed", "Latency" -> 86_400_000L;
          case "allThreads" -> 1_000_000_000L;
          default -> 1_000_000_000_000_000L;
        };
    boolean absurd =
        digits > 18
            || (exact.compareTo(java.math.BigInteger.valueOf(least)) < 0 && exact.signum() != 0)
            || exact.compareTo(java.math.BigInteger.valueOf(most)) > 0;
    sample.put(name, number);
    boolean duration = name.equals("elapsed") || name.equals("Latency");
    return !absurd ? null : duration ? DamageKind.LASTING : DamageKind.ABSURD;
  }

  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");

  /** Spellings of a date, and how to spell them as ISO 8601 does. */
  private static final Map<String, String> DATES =
      Map.of(
          "([0-9]{4})/([0-9]{2})/([0-9]{2})", "$1-$2-$3",
          "([0-9]{4})-([0-9]{2})-([0-9]{2})", "$1-$2-$3",
          "([0-9]{2})[.]([0-9]{2})[.]([0-9]{4})", "$3-$2-$1",
          "([0-9]{2})/([0-9]{2})/([0-9]{4})", "$3-$1-$2");

  private static final Pattern TIME =
      Pattern.compile(
          "([0-9]{2}:[0-9]{2}:[0-9]{2})([.,][0-9]{3})?(?:(Z)|([+-][0-9]{2}):?([0-9]{2}))?");

  private String millisOfDate(String value) {
    coarse = false;
    String day = value.substring(0, Math.min(10, value.length()));
    boolean split = value.length() > 10 && " T".indexOf(value.charAt(10)) >= 0;
    Matcher time = TIME.matcher(split ? value.substring(11) : "");
    if (!time.matches()) {
      return value;
    }
    String iso =
        DATES.entrySet().stream()
            .filter(date -> day.matches(date.getKey()))
            .map(date -> day.replaceFirst(date.getKey(), date.getValue()))
            .findFirst()
            .orElse("");
    String fraction = time.group(2) == null ? "" : "." + time.group(2).substring(1);
    String offset = time.group(4) == null ? "Z" : time.group(4) + ":" + time.group(5);
    try {
      long millis =
          OffsetDateTime.parse(iso + "T" + time.group(1) + fraction + offset)
              .toInstant()
              .toEpochMilli();
      coarse = fraction.isEmpty();
      return String.valueOf(millis);
    } catch (DateTimeParseException noDate) {
      return value;
    }
  }

  // XML

  private static final String BLANK = "[ \n\r\t]*";
  private static final Pattern TAG =
      Pattern.compile(
          "<[^=>/<\"' \n\r\t]++(?=[ \n\r\t/>])((?:"
              + BLANK
              + "[^=>/<\"' \n\r\t]++"
              + BLANK
              + "="
              + BLANK
              + "(?:\"[^\"<]*\"|'[^'<]*'))*+)"
              + BLANK
              + "(/?)>");
  private static final Pattern NAME = Pattern.compile("<[^!=>/<\"' \n\r\t][^=>/<\"' \n\r\t]*+");
  private static final Pattern ATTRIBUTE =
      Pattern.compile(
          "([^=>/<\"' \n\r\t]+)" + BLANK + "=" + BLANK + "(?:\"([^\"<]*)\"|'([^'<]*)')");
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("t", "elapsed"),
          Map.entry("lt", "Latency"),
          Map.entry("ts", "timeStamp"),
          Map.entry("s", "success"),
          Map.entry("lb", "label"),
          Map.entry("rc", "responseCode"),
          Map.entry("rm", "responseMessage"),
          Map.entry("by", "bytes"),
          Map.entry("sby", "sentBytes"),
          Map.entry("na", "allThreads"),
          Map.entry("tn", "threadName"),
          Map.entry("dt", "dataType"),
          Map.entry("it", "IdleTime"));

  private static final List<String> TEXTS =
      List.of("responseCode", "responseMessage", "label", "threadName", "dataType", "IdleTime");

  private int inside;

  /** Names of samples that are neither of the usual two. */
  private final List<String> others = new ArrayList<>();

  private boolean closed;

  private static final Pattern ROOT =
      Pattern.compile(
          "^(?:\u00ef\u00bb\u00bf)?\\s*(?:<[?][^>]*>\\s*|<!--(?:(?!-->)[^<])*-->\\s*)*+"
              + "<(?!(?:sample|httpSample)[\\s<>/\"'=])([A-Za-z_][^\\s<>/\"'=]*)");

  private void readXml() {
    Matcher first = ROOT.matcher(text.substring(0, Math.min(text.length(), limits.row())));
    String root = first.find() ? first.group(1) : "testResults";
    int at = text.indexOf('<');
    while (at >= 0) {
      int next = at + 1;
      if (text.startsWith("<!--", at)) {
        next = behind("-->", at);
      } else if (text.startsWith("<![CDATA[", at)) {
        next = behind("]]>", at);
      } else if (text.startsWith("<!DOCTYPE", at) || text.startsWith("<!ENTITY", at)) {
        refused = true;
        return;
      } else if (text.startsWith("</" + root, at)) {
        closed = true;
      }
      int from = at;
      if (next > at + 1) {
        // Passed over.
      } else if (endsHere(at, "</httpSample")
          || endsHere(at, "</sample")
          || others.stream().anyMatch(name -> closes(from, name))) {
        inside = Math.max(0, inside - 1);
      } else if (endsHere(at, "<httpSample") || endsHere(at, "<sample")) {
        closed = false;
        next = tag(at, false);
      } else if (NAME.matcher(text).region(at, text.length()).lookingAt()) {
        next = tag(at, true);
      }
      at = text.indexOf('<', next);
    }
    if (!closed) {
      note(DamageKind.UNCLOSED, lineOf(text.length()));
    }
  }

  private int behind(String end, int at) {
    int found = text.indexOf(end, at);
    return found < 0 ? text.length() : found;
  }

  private boolean endsHere(int at, String name) {
    int end = at + name.length();
    return text.startsWith(name, at)
        && (end == text.length() || " \n\r\t/>".indexOf(text.charAt(end)) >= 0);
  }

  private boolean closes(int at, String name) {
    int end = at + 2 + name.length();
    return text.startsWith("</" + name, at)
        && (end == text.length() || " \n\r\t/>=<\"'".indexOf(text.charAt(end)) >= 0);
  }

  /**
   * Reads a tag.
   *
   * @param other whether it is of a sample only if it has both times
   */
  private int tag(int at, boolean other) {
    int limit = Math.min(text.length(), at + limits.row());
    Matcher tag = TAG.matcher(text).region(at, limit);
    if (!tag.lookingAt() && other) {
      return at + 1;
    }
    if (!tag.lookingAt()) {
      boolean cut = tag.hitEnd();
      boolean atEnd = text.length() - at <= limits.row();
      note(
          !cut ? DamageKind.BAD_TAG : atEnd ? DamageKind.CUT_ROW : DamageKind.TOO_LONG, lineOf(at));
      return at + 1;
    }
    sample.clear();
    coarse = false;
    described = false;
    DamageKind fault = null;
    Matcher attribute = ATTRIBUTE.matcher(tag.group(1));
    while (attribute.find()) {
      String name = NAMES.getOrDefault(attribute.group(1), "");
      String value = attribute.group(2) != null ? attribute.group(2) : attribute.group(3);
      if (TEXTS.contains(name) || !value.isEmpty()) {
        sample.put(name, value);
      }
      described |= name.matches("responseMessage|dataType") && !value.isEmpty();
      DamageKind found = valueFault(name, value);
      fault = fault == null ? found : fault;
    }
    Matcher named = NAME.matcher(text).region(at, limit);
    String own = named.lookingAt() ? named.group().substring(1) : "";
    if (other) {
      if (!sample.getOrDefault("timeStamp", "").matches("-0+|[0-9]{1,18}")
          || !sample.getOrDefault("elapsed", "").matches("-0+|[0-9]{1,18}")) {
        return at + 1;
      }
      closed = false;
      if (tag.group(2).isEmpty()) {
        others.add(own);
      }
    }
    if (fault == null && !(sample.containsKey("timeStamp") && sample.containsKey("elapsed"))) {
      fault = DamageKind.BAD_TAG;
    }
    fault = fault == null ? timeFault() : fault;
    holdsRequests =
        fault == null && inside == 0 && tag.group(2).isEmpty() && !described && !hasMessage();
    if (holdsRequests) {
      char next = firstInside(tag.end(), limit, own);
      holdsRequests = next == 'r';
      described = next == 'p' || next == '?';
    }
    if (fault != null) {
      note(fault, lineOf(at));
    } else if (inside == 0) {
      add(lineOf(at));
    }
    boolean transactionLookedInto =
        inside == 0
            && isTransaction()
            && options.counted() != ReductionOptions.Counted.TRANSACTIONS;
    inside += tag.group(2).isEmpty() && !transactionLookedInto ? 1 : 0;
    return tag.end();
  }

  /** What the next tag of a sample begins: a part of this one, another request, or nothing. */
  private char firstInside(int from, int limit, String own) {
    for (int at = from; at + 16 < limit; at++) {
      if (endsHere(at, "</sample") || endsHere(at, "</httpSample") || closes(at, own)) {
        return '-';
      }
      if (endsHere(at, "<sample") || endsHere(at, "<httpSample") || isOther(at, limit)) {
        int close = text.indexOf('>', at);
        if (close < 0 || close >= limit) {
          return '?';
        }
        Matcher label = Pattern.compile(" lb=\"([^\"]*)\"").matcher(text.substring(at, close));
        String name = label.find() ? label.group(1) : "";
        return ReferenceRow.isPartName(name, sample.getOrDefault("label", "")) ? 'p' : 'r';
      }
    }
    return '?';
  }

  private boolean isOther(int at, int limit) {
    Matcher tag = Pattern.compile("<([^/<>][^<>]*)>").matcher(text).region(at, limit);
    return tag.lookingAt() && tag.group(1).contains(" t=\"") && tag.group(1).contains(" ts=\"");
  }

  // What counts

  private boolean isTransaction() {
    return hasMessage() || holdsRequests;
  }

  private boolean hasMessage() {
    return sample
        .getOrDefault("responseMessage", "")
        .startsWith("Number of samples in transaction : ");
  }

  private boolean countsTransactions() {
    return options.counted() != ReductionOptions.Counted.REQUESTS;
  }

  private long number(String name, long untold) {
    String value = sample.getOrDefault(name, "");
    return value.isEmpty() ? untold : Long.parseLong(value);
  }

  private void add(long line) {
    ReferenceRow row = new ReferenceRow();
    row.line = line;
    row.values = new HashMap<>(sample);
    String label = utf8(sample.getOrDefault("label", ""));
    String thread = utf8(sample.getOrDefault("threadName", ""));
    row.label = xml ? unescaped(label) : label;
    row.thread = xml ? unescaped(thread) : thread;
    row.start = number("timeStamp", 0);
    row.end = row.start + number("elapsed", 0);
    String idle = sample.getOrDefault("IdleTime", "");
    boolean told = idle.matches("[0-9]+") && new java.math.BigInteger(idle).bitLength() < 60;
    row.idle = told && Long.parseLong(idle) <= 86_400_000 ? Long.parseLong(idle) : 0;
    row.sum = isTransaction();
    row.inferred = holdsRequests;
    row.coarse = coarse;
    boolean messages = xml || columns.contains("responseMessage");
    boolean threads = xml || columns.contains("threadName");
    row.bare = !row.sum && !described && (messages || threads);
    row.hidden = !messages && !columns.contains("URL") && !columns.contains("dataType");
    row.described = !row.sum && described;
    rows.add(row);
  }

  /** Requests that overlap another of their thread. */
  long overlaps() {
    return rows.stream().filter(row -> row.overlaps).count();
  }

  /** Whether requests, times the labels of sums, are fewer than the sums. */
  boolean lacking() {
    long sums = rows.stream().filter(row -> row.sum).count();
    long requestRows = rows.stream().filter(row -> !row.sum).count() - parts;
    long sumLabels = rows.stream().filter(row -> row.sum).map(row -> row.label).distinct().count();
    return options.counted() != ReductionOptions.Counted.TRANSACTIONS
        && sums > requestRows * Math.min(Math.max(1, sumLabels), limits.labels());
  }

  private void count(ReferenceRow row) {
    sample = row.values;
    long line = row.line;
    inferred += row.inferred ? 1 : 0;
    long stamp = number("timeStamp", 0);
    long elapsed = number("elapsed", 0);
    boolean byEnd = options.attribution() == ReductionOptions.Attribution.BY_END;
    long moment = byEnd ? stamp + elapsed : stamp;
    if (sound++ > 0 && moment < previous - (row.coarse ? 2000 : 1000)) {
      note(DamageKind.BACKWARDS, line);
    }
    previous = moment;
    boolean byLabel = row.sum == countsTransactions();
    boolean outside = moment < start || moment >= end;
    if (row.part) {
      parts += outside ? 0 : 1;
      outsideWindow += outside ? 1 : 0;
    } else if (!byLabel && options.counted() != ReductionOptions.Counted.TRANSACTIONS_BY_LABEL) {
      leftOut++;
    } else if (outside) {
      outsideWindow++;
    } else if (byLabel) {
      count(label(line), seconds, stamp, elapsed, moment, line);
    } else {
      leftOut++;
      count(requests, requestSeconds, stamp, elapsed, moment, line);
    }
  }

  private void count(
      Label label, Map<Long, Second> series, long stamp, long elapsed, long moment, long line) {
    label.elapsed.add(elapsed);
    if (number("Latency", -1) >= 0) {
      label.latency.add(number("Latency", -1));
    }
    label.received += number("bytes", 0);
    label.sent += number("sentBytes", 0);
    boolean failed = sample.getOrDefault("success", "true").equalsIgnoreCase("false");
    if (failed) {
      label.failed++;
      String spelt = utf8(sample.getOrDefault("responseCode", ""));
      String code = xml ? unescaped(spelt) : spelt;
      if (!label.errors.containsKey(code) && label.errors.size() >= limits.codes()) {
        code = "(other codes)";
        note(DamageKind.MANY_CODES, line);
      }
      label.errors.merge(code, 1L, Long::sum);
    }
    long origin = windowed ? start : 0;
    Second second = series.computeIfAbsent((moment - origin) / 1000, none -> new Second());
    second.elapsed.add(elapsed);
    second.failed += failed ? 1 : 0;
    second.threads = Math.max(second.threads, number("allThreads", -1));
    firstStart = Math.min(firstStart, stamp);
    lastEnd = Math.max(lastEnd, stamp + elapsed);
  }

  private Label label(long line) {
    String spelt = sample.getOrDefault("label", "");
    try {
      StandardCharsets.UTF_8
          .newDecoder()
          .decode(java.nio.ByteBuffer.wrap(spelt.getBytes(StandardCharsets.ISO_8859_1)));
    } catch (CharacterCodingException half) {
      note(DamageKind.HALF_CHARACTER, line);
    }
    String name = xml ? unescaped(utf8(spelt)) : utf8(spelt);
    if (!labels.containsKey(name) && labels.size() >= limits.labels()) {
      note(DamageKind.MANY_LABELS, line);
      name = "(other labels)";
    }
    return labels.computeIfAbsent(name, none -> new Label());
  }

  private static String utf8(String latin) {
    return new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static String unescaped(String value) {
    StringBuilder meant = new StringBuilder();
    String flat = value.replace("\r\n", " ").replace('\n', ' ').replace('\r', ' ');
    for (String part : flat.replace('\t', ' ').split("(?=&)|(?<=;)", -1)) {
      meant.append(
          switch (part) {
            case "&amp;" -> "&";
            case "&lt;" -> "<";
            case "&gt;" -> ">";
            case "&quot;" -> "\"";
            case "&apos;" -> "'";
            default -> reference(part);
          });
    }
    return meant.toString();
  }

  private static String reference(String part) {
    if (!part.matches("&#([0-9]{1,7}|x[0-9a-fA-F]{1,6});")) {
      return part;
    }
    String digits = part.substring(2, part.length() - 1);
    int point =
        digits.startsWith("x")
            ? Integer.parseInt(digits.substring(1), 16)
            : Integer.parseInt(digits);
    return Character.isValidCodePoint(point) ? Character.toString(point) : part;
  }

  static double mean(List<Long> values) {
    return values.stream().mapToLong(value -> value).sum() / (double) values.size();
  }

  static double deviation(List<Long> values) {
    double mean = mean(values);
    double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
    return values.size() < 2 ? Double.NaN : Math.sqrt(squares / (values.size() - 1));
  }

  /** Nearest rank. */
  static long percentile(List<Long> values, double share) {
    long[] sorted = values.stream().mapToLong(value -> value).sorted().toArray();
    return sorted[(int) Math.max(0, Math.ceil(share * sorted.length) - 1)];
  }

  @Override
  public String toString() {
    return labels.keySet() + " " + Arrays.asList(damage);
  }
}
