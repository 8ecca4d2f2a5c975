package io.slicewise.workload;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number as a program prints it: with separators, a suffix of thousands, or a unit that changes
 * with its size. What has two readings is none, and so is what cannot be true.
 *
 * @param value {@code NaN} if it is none
 * @param note what it was taken as, if it is not what is printed, or why it is none; empty without
 *     either
 */
record PrintedNumber(double value, String note) {
  static final PrintedNumber NONE = new PrintedNumber(Double.NaN, "");

  /** A number and what follows it at once. */
  private static final Pattern PARTS =
      Pattern.compile("([+-]?)([0-9][0-9.,]*|[.,][0-9]+)((?:[eE][+-]?[0-9]+)?)\\s?(\\S*)\\s*");

  private static final Pattern SUFFIX = Pattern.compile("[ \\t]?([A-Za-z\u00b5\u03bc/]+)");
  private static final Pattern GROUPED = Pattern.compile("[0-9]{1,3}(,[0-9]{3})+(\\.[0-9]*)?");

  /** One comma before three digits: a decimal comma in some places, thousands in others. */
  private static final Pattern EITHER = Pattern.compile("[1-9][0-9]{0,2},[0-9]{3}");

  private static final Pattern DECIMAL_COMMA =
      Pattern.compile("[0-9]*,[0-9]+|[0-9]{1,3}(\\.[0-9]{3})+(,[0-9]+)?");

  /** Numbers that only have a decimal comma, or only a decimal point. */
  private static final Pattern COMMA =
      Pattern.compile("(?<![0-9.,])(?:0,[0-9]+|[0-9]+,(?:[0-9]{1,2}|[0-9]{4,}))(?![0-9.,])");

  private static final Pattern POINT =
      Pattern.compile(
          "(?<![0-9.,])(?:[0-9]+\\.(?:[0-9]{1,2}|[0-9]{4,})|[0-9]{1,3}(?:,[0-9]{3})+\\.[0-9]+"
              + "|[0-9]{1,3}(?:,[0-9]{3}){2,})(?![0-9.,])");

  private static final Pattern DIGIT = Pattern.compile("[0-9]");

  /** What separates thousands in some places: blanks, also those that break no line, and quotes. */
  private static final Pattern THOUSANDS_BEFORE =
      Pattern.compile("(?<![0-9A-Za-z.,])[1-9][0-9]{0,2}[ '\u00a0\u2009\u202f\u2019]$");

  private static final Pattern REST_OF_THOUSANDS = Pattern.compile("[0-9]{3}(?:[.,][0-9]*)?");
  private static final Pattern MINUTES_BEFORE =
      Pattern.compile("(?<![0-9A-Za-z.,])[0-9]*[1-9][0-9]*[hm:] ?$");
  private static final Pattern REST_OF_MINUTES = Pattern.compile("[0-5][0-9](?:[.,][0-9]*)?");

  private static final Map<String, Double> SECONDS = seconds();
  private static final List<String> THOUSANDS = List.of("k", "M", "G", "T");
  private static final Pattern BYTES =
      Pattern.compile("[kKMGTP]?i?(?:B|b|bits?|bytes?|Bytes?)(?:/s|/sec|ps)?");
  private static final double MOST = 0x1p63;
  private static final double MOST_PER_SECOND = 1e15;

  private static Map<String, Double> seconds() {
    Map<String, Double> seconds = new LinkedHashMap<>();
    List.of("ns", "nsec").forEach(name -> seconds.put(name, 1e-9));
    List.of("us", "usec", "usecs").forEach(name -> seconds.put(name, 1e-6));
    List.of("ms", "msec", "msecs").forEach(name -> seconds.put(name, 1e-3));
    List.of("s", "sec", "secs", "seconds").forEach(name -> seconds.put(name, 1.0));
    List.of("m", "min").forEach(name -> seconds.put(name, 60.0));
    seconds.put("h", 3600.0);
    return seconds;
  }

  /**
   * Returns the number that the first group of a match is, or the whole match without a group.
   *
   * @param found the last match in the output
   * @param unit in which it is wanted; empty for that in which it is printed
   */
  static PrintedNumber of(Pattern find, Matcher found, String output, String unit) {
    int group = Math.min(1, found.groupCount());
    if (found.start(group) < 0) {
      return NONE;
    }
    int from = found.start(group);
    int to = found.end(group);
    Matcher parts = PARTS.matcher(output.substring(from, to));
    if (!parts.matches()) {
      return NONE;
    }
    if (DIGIT.matcher(parts.group(4)).find()) {
      return none(
          "prints %s, which is several numbers: let 'find' take one".formatted(found.group(group)));
    }
    int end = from + parts.end(3);
    Optional<PrintedNumber> cut =
        cut(output, from, end, found).or(() -> rest(output, from, end, unit));
    if (cut.isPresent()) {
      return cut.get();
    }
    boolean negative =
        from > 0
            && output.charAt(from - 1) == '-'
            && (from < 2 || !Character.isLetterOrDigit(output.charAt(from - 2)));
    Matcher after = SUFFIX.matcher(output).region(end, output.length());
    String suffix =
        !parts.group(4).isEmpty() ? parts.group(4) : after.lookingAt() ? after.group(1) : "";
    boolean spaced = end < output.length() && Character.isWhitespace(output.charAt(end));
    String text = parts.group(2).replaceAll("[.,]+$", "");
    double plain = plain(text, output);
    if (Double.isNaN(plain)) {
      return EITHER.matcher(text).matches()
          ? none(
              "prints %s, which is %s or %s: let the command print no separators"
                  .formatted(text, text.replace(",", ""), text.replace(',', '.')))
          : NONE;
    }
    double number = plain * exponent(parts.group(3));
    number = parts.group(1).equals("-") || negative ? -number : number;
    String shown = (text + parts.group(3) + (spaced ? " " : "") + suffix).strip();
    if (suffix.isEmpty()
        && SECONDS.containsKey(unit)
        && takesUnits(find, output, from, end, unit)) {
      return none("prints %s without the unit that its 'find' looks for".formatted(shown));
    }
    PrintedNumber scaled = scaled(number, suffix, spaced, unit, shown);
    String note =
        scaled.note.isEmpty() && text.indexOf(',') >= 0
            ? "%s was taken as %s".formatted(text, number(scaled.value))
            : scaled.note;
    return possible(new PrintedNumber(scaled.value, note), unit, shown);
  }

  private static double exponent(String text) {
    return text.isEmpty() ? 1 : Double.parseDouble("1" + text);
  }

  private static PrintedNumber none(String why) {
    return new PrintedNumber(Double.NaN, why);
  }

  /** Returns why a match that begins or ends inside a number is none. */
  private static Optional<PrintedNumber> cut(String output, int from, int end, Matcher found) {
    int first = from;
    int last = end;
    while (found.start() == from && first > 0 && isOfNumber(output.charAt(first - 1))) {
      first--;
    }
    while (found.end() == end && last < output.length() && isOfNumber(output.charAt(last))) {
      last++;
    }
    String whole = output.substring(first, last).replaceAll("^[.,]+|[.,]+$", "");
    String part = output.substring(from, end).replaceAll("^[.,]+|[.,]+$", "");
    return !whole.equals(part) && !Double.isNaN(plain(whole, "0.5 "))
        ? Optional.of(
            none("finds '%s' inside of %s: let 'find' take all of it".formatted(part, whole)))
        : Optional.empty();
  }

  /** Returns why a number is none whose thousands, minutes or hours stand before it. */
  private static Optional<PrintedNumber> rest(String output, int from, int end, String unit) {
    String number = output.substring(from, end);
    String before = output.substring(0, from);
    Matcher thousands = THOUSANDS_BEFORE.matcher(before);
    Matcher time = MINUTES_BEFORE.matcher(before);
    boolean grouped =
        thousands.find()
            && REST_OF_THOUSANDS.matcher(number).matches()
            && (!thousands.group().endsWith(" ") || COMMA.matcher(output).find());
    boolean minutes =
        SECONDS.containsKey(unit)
            && time.find()
            && (!time.group().endsWith(":") || REST_OF_MINUTES.matcher(number).matches());
    return grouped || minutes
        ? Optional.of(
            none(
                "finds '%s' after '%s': let 'find' take all of it, or the command print one number"
                    .formatted(number, (grouped ? thousands : time).group())))
        : Optional.empty();
  }

  private static boolean isOfNumber(char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == ',';
  }

  /** Returns a number without sign and unit; {@code NaN} if it is none, or has two readings. */
  private static double plain(String text, String output) {
    boolean comma = COMMA.matcher(output).find();
    boolean point = POINT.matcher(output).find();
    if (text.indexOf(',') < 0 && text.indexOf('.') == text.lastIndexOf('.')) {
      return parsed(text);
    }
    if (EITHER.matcher(text).matches() && comma == point) {
      return Double.NaN;
    }
    if (GROUPED.matcher(text).matches()
        && !text.startsWith("0")
        && !(EITHER.matcher(text).matches() && comma)) {
      return parsed(text.replace(",", ""));
    }
    return DECIMAL_COMMA.matcher(text).matches()
        ? parsed(text.replace(".", "").replace(',', '.'))
        : Double.NaN;
  }

  private static double parsed(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException none) {
      return Double.NaN;
    }
  }

  /** Returns whether the pattern takes a unit after the number as a part of its group. */
  private static boolean takesUnits(Pattern find, String output, int from, int end, String unit) {
    Matcher with = find.matcher(output.substring(0, end) + unit + output.substring(end));
    while (with.find()) {
      int group = Math.min(1, with.groupCount());
      if (with.start(group) == from && with.end(group) == end + unit.length()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number in the unit that is wanted. */
  private static PrintedNumber scaled(
      double number, String suffix, boolean spaced, String unit, String shown) {
    String its = suffix.replace('\u00b5', 'u').replace('\u03bc', 'u');
    String wanted = unit.replace('\u00b5', 'u').replace('\u03bc', 'u');
    if (its.isEmpty() || its.equals(wanted)) {
      return new PrintedNumber(number, "");
    }
    if (SECONDS.containsKey(wanted)) {
      return SECONDS.containsKey(its) && !(spaced && SECONDS.get(its) > 1)
          ? taken(shown, number * SECONDS.get(its) / SECONDS.get(wanted), unit)
          : new PrintedNumber(number, "");
    }
    if (BYTES.matcher(wanted).matches()) {
      return (BYTES.matcher(its).matches() && !its.replace("/sec", "/s").equals(wanted))
              || (!spaced && isThousands(its) && !wanted.startsWith(its))
          ? none(
              "prints %s, not in %s, and its prefix is 1,000 or 1,024: let the command print one unit"
                  .formatted(shown, unit))
          : new PrintedNumber(number, "");
    }
    String prefix = its.endsWith(wanted) ? its.substring(0, its.length() - wanted.length()) : its;
    return isThousands(prefix) && (!spaced || !prefix.equals(its))
        ? taken(
            shown, number * Math.pow(1000, 1 + THOUSANDS.indexOf(prefix.replace('K', 'k'))), unit)
        : new PrintedNumber(number, "");
  }

  private static boolean isThousands(String suffix) {
    return THOUSANDS.contains(suffix.replace('K', 'k'));
  }

  private static PrintedNumber taken(String shown, double value, String unit) {
    return value == 0
        ? new PrintedNumber(value, "")
        : new PrintedNumber(
            value, "%s was taken as %s".formatted(shown, (number(value) + " " + unit).strip()));
  }

  private static String number(double value) {
    return new BigDecimal(String.format(Locale.ROOT, "%.6g", value))
        .stripTrailingZeros()
        .toPlainString();
  }

  /** Returns the number, or why it cannot be true. */
  private static PrintedNumber possible(PrintedNumber number, String unit, String shown) {
    boolean time = SECONDS.containsKey(unit);
    boolean rate = unit.endsWith("/s") || unit.endsWith("/sec") || unit.equals("%");
    double size = Math.abs(number.value);
    return size >= (rate ? MOST_PER_SECOND : MOST)
        ? none("prints %s, more than any counter can have seen".formatted(shown))
        : number.value < 0 && (time || rate || BYTES.matcher(unit).matches())
            ? none("prints a negative number of %s".formatted(unit))
            : time && number.value == 0
                ? none("prints a time of %s, as if nothing was measured".formatted(shown))
                : number;
  }

  /** Returns a number of JSON, which has one reading. */
  static PrintedNumber ofJson(double value, String unit) {
    return possible(new PrintedNumber(value, ""), unit, number(value));
  }
}
