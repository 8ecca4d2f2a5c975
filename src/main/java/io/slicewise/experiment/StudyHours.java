package io.slicewise.experiment;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * When pairs may run, by this machine's clock.
 *
 * @param only in one of these; empty = always
 * @param except in none of these
 */
public record StudyHours(List<Span> only, List<Span> except) {
  public static final StudyHours ALWAYS = new StudyHours(List.of(), List.of());

  private static final Pattern SPAN =
      Pattern.compile("([01]?\\d|2[0-3]):([0-5]\\d) ?- ?([01]?\\d|2[0-3]):([0-5]\\d)");

  /** Days within which an allowed time must come; on one of them a change of clocks may skip it. */
  private static final int DAYS = 3;

  public StudyHours {
    only = List.copyOf(only);
    except = List.copyOf(except);
  }

  /** A part of the day, which may pass midnight. */
  public record Span(LocalTime from, LocalTime to) {
    /**
     * Reads {@code 22:00-06:00}.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Span parse(String text) {
      Matcher match = SPAN.matcher(text.strip());
      if (!match.matches()) {
        throw new IllegalArgumentException(
            "'%s' is not a part of the day such as 22:00-06:00".formatted(text));
      }
      Span span =
          new Span(
              LocalTime.of(Integer.parseInt(match.group(1)), Integer.parseInt(match.group(2))),
              LocalTime.of(Integer.parseInt(match.group(3)), Integer.parseInt(match.group(4))));
      if (span.from.equals(span.to)) {
        throw new IllegalArgumentException("'%s' ends when it begins".formatted(text));
      }
      return span;
    }

    public boolean contains(LocalTime time) {
      return from.isBefore(to)
          ? !time.isBefore(from) && time.isBefore(to)
          : !time.isBefore(from) || time.isBefore(to);
    }

    @Override
    public String toString() {
      return from + "-" + to;
    }
  }

  /** Returns whether something that takes so long may begin: all of it must be allowed. */
  private boolean allows(ZonedDateTime begin, Duration length) {
    ZonedDateTime end = begin.plus(length);
    // What is allowed can stop being so only where a permitted part ends or another one begins.
    return allows(begin.toLocalTime())
        && at(
                Stream.concat(only.stream().map(Span::to), except.stream().map(Span::from)),
                begin,
                end)
            .allMatch(time -> allows(time.toLocalTime()));
  }

  /**
   * Returns these times of each day from one moment until before another, both times of an hour
   * that a change of clocks repeats, and the moment of a change.
   */
  private static Stream<ZonedDateTime> at(
      Stream<LocalTime> times, ZonedDateTime from, ZonedDateTime to) {
    Stream<ZonedDateTime> changes =
        Optional.ofNullable(from.getZone().getRules().nextTransition(from.toInstant())).stream()
            .map(change -> change.getInstant().atZone(from.getZone()));
    return Stream.concat(
            changes,
            times.flatMap(
                time ->
                    from.toLocalDate()
                        .datesUntil(to.toLocalDate().plusDays(1))
                        .map(day -> day.atTime(time).atZone(from.getZone()))
                        .flatMap(
                            moment ->
                                Stream.of(
                                    moment.withEarlierOffsetAtOverlap(),
                                    moment.withLaterOffsetAtOverlap()))))
        .filter(moment -> !moment.isBefore(from) && moment.isBefore(to));
  }

  private boolean allows(LocalTime time) {
    return (only.isEmpty() || only.stream().anyMatch(span -> span.contains(time)))
        && except.stream().noneMatch(span -> span.contains(time));
  }

  /** Returns the hours as a phrase. */
  @Override
  public String toString() {
    String during = only.isEmpty() ? "at any time" : "only in " + joined(only);
    return except.isEmpty() ? during : during + ", not in " + joined(except);
  }

  private static String joined(List<Span> spans) {
    return spans.stream().map(Span::toString).collect(Collectors.joining(", "));
  }

  /** Returns whether a day has a time at which something that takes so long may begin. */
  public boolean fit(Duration length) {
    return next(LocalDate.EPOCH.atStartOfDay(ZoneOffset.UTC), length).isPresent();
  }

  /**
   * Returns when something that takes so long may begin: now, or later.
   *
   * @return empty if never
   */
  public Optional<ZonedDateTime> next(ZonedDateTime now, Duration length) {
    return Stream.concat(
            Stream.of(now),
            at(
                Stream.concat(only.stream().map(Span::from), except.stream().map(Span::to)),
                now,
                now.plusDays(DAYS)))
        .filter(begin -> allows(begin, length))
        .min(ZonedDateTime::compareTo);
  }
}
