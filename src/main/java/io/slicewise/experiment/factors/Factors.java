package io.slicewise.experiment.factors;

import io.slicewise.base.units.Plural;
import io.slicewise.stats.factorial.Factorial;
import io.slicewise.stats.factorial.Factorial.Contrast;
import io.slicewise.stats.factorial.Factorial.Term;
import io.slicewise.stats.factorial.Fraction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The factors of an experiment and their cells, each a profile.
 *
 * @param fraction which combinations are cells; empty if all are
 * @param written the entry of the file as plain data
 */
public record Factors(
    List<Factor> factors,
    List<Cell> cells,
    Optional<Fraction> fraction,
    Map<String, Object> written) {
  private static final List<String> ROMAN = List.of("III", "IV", "V");

  public Factors {
    factors = List.copyOf(factors);
    cells = List.copyOf(cells);
    written = Collections.unmodifiableMap(new LinkedHashMap<>(written));
  }

  /**
   * A combination of levels.
   *
   * @param levels the level of each factor, from 0
   */
  public record Cell(String profile, List<Integer> levels) {
    public Cell {
      levels = List.copyOf(levels);
    }
  }

  /** Returns the names of the profiles of the cells. */
  public List<String> profiles() {
    return cells.stream().map(Cell::profile).toList();
  }

  /** Returns main effects and interactions, with their aliases. */
  public List<Contrast> contrasts() {
    return new Factorial(
            factors.stream().map(factor -> factor.levels().size()).toList(),
            cells.stream().map(Cell::levels).toList())
        .contrasts();
  }

  /** Returns the factors of a term: {@code weight}, or {@code weight x cap}. */
  public String name(Term term) {
    return term.factors().stream()
        .map(factor -> factors.get(factor).name())
        .collect(Collectors.joining(" x "));
  }

  /** Returns the levels of a term: {@code 256 -> 512}, or {@code 512, 50}. */
  public String levels(Term term) {
    return term.isMain()
        ? "%s -> %s".formatted(level(term.factors().get(0), 0), level(term, 0))
        : "%s, %s".formatted(level(term, 0), level(term, 1));
  }

  private String level(Term term, int place) {
    return level(term.factors().get(place), term.levels().get(place));
  }

  private String level(int factor, int level) {
    return factors.get(factor).levels().get(level);
  }

  /** Returns the cells, the resolution and the aliases, as {@code plan} shows them. */
  public List<String> sentences() {
    return Stream.concat(Stream.of(sentence()), aliases().stream()).toList();
  }

  private String sentence() {
    String crossed =
        factors.stream()
            .map(factor -> "%s (%d)".formatted(factor.name(), factor.levels().size()))
            .collect(Collectors.joining(" x "));
    return fraction
        .map(
            part ->
                "%s: %d of %d cells, resolution %s; %s"
                    .formatted(
                        crossed,
                        cells.size(),
                        1 << factors.size(),
                        roman(part.resolution()),
                        generated(part)))
        .orElseGet(
            () ->
                "%s: all %s, no effect is aliased"
                    .formatted(crossed, Plural.of(cells.size(), "cell")));
  }

  private String generated(Fraction part) {
    List<String> generators = new ArrayList<>();
    for (int i = 0; i < part.generators().size(); i++) {
      int set = part.generators().get(i);
      generators.add(
          "%s has its second level where an odd number of %s have"
              .formatted(
                  factors.get(part.basics() + i).name(),
                  IntStream.range(0, part.basics())
                      .filter(basic -> ((set >> basic) & 1) == 1)
                      .mapToObj(basic -> factors.get(basic).name())
                      .collect(Collectors.joining(", "))));
    }
    return String.join("; ", generators);
  }

  /** Returns which effects the cells cannot distinguish, as one sentence; empty if none. */
  public Optional<String> aliases() {
    List<String> aliased =
        contrasts().stream()
            .filter(contrast -> !contrast.aliases().isEmpty())
            .map(contrast -> "%s with %s".formatted(name(contrast.term()), names(contrast)))
            .toList();
    return fraction.isEmpty()
        ? Optional.empty()
        : Optional.of(
            aliased.isEmpty()
                ? "no main effect or interaction of two factors is aliased with another one"
                : "aliased: " + String.join("; ", aliased));
  }

  /** Returns the aliases of an effect: {@code cap x slice}; empty if it has none. */
  public String names(Contrast contrast) {
    return contrast.aliases().stream().map(this::name).collect(Collectors.joining(", "));
  }

  /** Returns a resolution in Roman numerals. */
  static String roman(int resolution) {
    return resolution <= FactorsReader.MOST_RESOLUTION
        ? ROMAN.get(resolution - FactorsReader.LEAST_RESOLUTION)
        : resolution == 6 ? "VI" : resolution == 7 ? "VII" : String.valueOf(resolution);
  }

  /**
   * A parameter with several values.
   *
   * @param name in tables and sentences: the parameter, with its target where two factors share one
   * @param levels as written in the file; effects compare the others with the first
   */
  public record Factor(String name, List<String> levels) {
    public Factor {
      levels = List.copyOf(levels);
    }

    /** Returns the part of a profile's name that a level is: {@code web-weight-512}. */
    String word(int level) {
      return "%s-%s".formatted(name, levels.get(level)).replaceAll("[^A-Za-z0-9_-]+", ".");
    }
  }
}
