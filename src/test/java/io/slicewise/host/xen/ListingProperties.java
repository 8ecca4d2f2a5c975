package io.slicewise.host.xen;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.host.Domain;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.Sedf;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Protects the rule that a row is read back as it was printed, whatever the domain is called and
 * however wide its numbers are. The formats are xm's and xl's own.
 */
class ListingProperties {
  @Property
  void readsCreditRowOfXl(
      @ForAll("names") String name,
      @ForAll @IntRange(max = 32751) int id,
      @ForAll @IntRange(min = 1, max = 65535) int weight,
      @ForAll @IntRange(max = 51200) int cap) {
    String text =
        format("%-33s %4s %6s %4s%n", "Name", "ID", "Weight", "Cap")
            + format("%-33s %4d %6d %4d%n", name, id, weight, cap);
    assertThat(ParameterListing.parse(Scheduler.CREDIT, text).entries())
        .containsExactly(
            new ParameterListing.Entry(name, id, "", Optional.of(Credit.of(weight, cap))));
  }

  @Property
  void readsSedfRowOfXm(
      @ForAll("names") String name,
      @ForAll @IntRange(max = 32751) int id,
      @ForAll @IntRange(max = 21_474) int periodTenths,
      @ForAll @IntRange(max = 65535) int weight,
      @ForAll boolean extra) {
    String text =
        "Name                                ID Period(ms) Slice(ms) Lat(ms) Extra Weight\n"
            + format(
                "%-32s %5d %9.1f %9.1f %7.1f %6d %6d%n",
                name, id, periodTenths / 10.0, 0.0, 0.0, extra ? 1 : 0, weight);
    Duration period = Duration.ofNanos(periodTenths * 100_000L);
    assertThat(ParameterListing.parse(Scheduler.SEDF, text).entries())
        .containsExactly(
            new ParameterListing.Entry(
                name,
                id,
                "",
                Optional.of(Sedf.of(period, Duration.ZERO, Duration.ZERO, extra, weight))));
  }

  @Property
  void readsDomainRowOfXl(
      @ForAll("names") String name,
      @ForAll("names") String pool,
      @ForAll @IntRange(max = 32751) int id,
      @ForAll @IntRange(max = 4_000_000) int memory,
      @ForAll @IntRange(max = 512) int vcpus,
      @ForAll @IntRange(max = 100_000_000) int tenths) {
    String text =
        "Name                                        ID   Mem VCPUs\tState\tTime(s)        "
            + " Cpupool\n"
            + format(
                "%-40s %5d %5d %5d     %s  %8.1f %16s%n",
                name, id, memory, vcpus, "-b----", tenths / 10.0, pool);
    assertThat(DomainListing.parse(text, "Pool-0").domains())
        .containsExactly(new Domain(name, id, vcpus, tenths / 10.0, pool));
  }

  /** xm's rows of managed domains that do not run have a blank where the id would be. */
  @Property
  void leavesOutHaltedDomainOfXm(@ForAll("wordsOfXend") String name) {
    String text =
        format("%-33s %4s %6s %4s%n", "Name", "ID", "Weight", "Cap")
            + format("%-32s %5s %6d %4d%n", name, "", 256, 0);
    assertThat(ParameterListing.parse(Scheduler.CREDIT, text).entries()).isEmpty();
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** Any names with blanks inside, long ones, numbers, and ones that look like a row. */
  @Provide
  Arbitrary<String> names() {
    Arbitrary<String> any =
        Arbitraries.strings()
            .withChars("abcXYZ019 -_.:;()$'\"")
            .ofMinLength(1)
            .ofMaxLength(60)
            .filter(name -> name.equals(name.strip()) && !name.isEmpty());
    return Arbitraries.oneOf(any, Arbitraries.of("7", "a 1 2 3", "Name", "Pool-0", "x  y", "0 0"));
  }

  @Provide
  Arbitrary<String> wordsOfXend() {
    return Arbitraries.strings().withChars("ab01-_.:/+").ofMinLength(1).ofMaxLength(50);
  }
}
