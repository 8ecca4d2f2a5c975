package io.slicewise.evidence.answer;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.NumberText;
import io.slicewise.experiment.load.Load;
import io.slicewise.stats.Effect.Change;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The answer of a run. It is made once, by {@link Answers}, and every screen, page and file prints
 * this value.
 *
 * @param claims one for each group of loads that has an answer of its own; never empty
 * @param supports the rules of good evidence that a sweep's choice meets, as phrases
 * @param caveats what limits the answer, as sentences, the most serious first
 * @param wouldChange what would make it surer, as sentences
 * @param apply commands that put the choice into force; empty without one choice for all loads
 * @param undo commands that take it back
 */
public record Answer(
    List<Claim> claims,
    List<String> supports,
    List<String> caveats,
    List<String> wouldChange,
    List<String> apply,
    List<String> undo) {
  public Answer {
    claims = List.copyOf(claims);
    supports = List.copyOf(supports);
    caveats = List.copyOf(caveats);
    wouldChange = List.copyOf(wouldChange);
    apply = List.copyOf(apply);
    undo = List.copyOf(undo);
  }

  /** What is claimed, the most certain first. */
  public enum Kind {
    /** One choice is better than the settings found. */
    USE("use"),
    /** Nothing is shown to be better than the settings found. */
    KEEP("keep what you have"),
    /** Several candidates are better than the settings found; none of them is confirmed. */
    SET("no answer yet: several settings may be the best"),
    /** The evidence leaves the question open. */
    OPEN("no answer yet");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /** How much a claim is worth, the best first. */
  public enum Grade {
    /** Measured again, apart from the data that chose it, in trials or in several sessions. */
    CONFIRMED("confirmed"),
    /** Shown by the comparison that chose it, corrected for the number of comparisons. */
    SHOWN("shown, not measured again"),
    /** Confirmed or shown within one or two sessions, so that no restart is in the interval. */
    THIS_SESSION("holds for this session; a restart may change it"),
    /** Too many windows were measured while the machine had no CPU to spare. */
    TOO_BUSY("measured on a machine that was too busy"),
    /** A check of the run refutes its comparisons. */
    UNRELIABLE("a check of the run failed"),
    /** Nothing is shown. */
    UNDECIDED("nothing better is shown");

    private final String words;

    Grade(String words) {
      this.words = words;
    }

    /** Returns the grade as a phrase that needs no legend. */
    public String words() {
      return words;
    }

    /** Returns whether an answer of this grade may be relied on. */
    public boolean holds() {
      return compareTo(THIS_SESSION) <= 0;
    }

    /** Returns whether the run's numbers are refuted, so that no comparison of it is evidence. */
    public boolean isVoid() {
      return this == TOO_BUSY || this == UNRELIABLE;
    }
  }

  /**
   * The claim for some loads.
   *
   * @param names the choice; of a set its members; of a kept setting nothing
   * @param effect the interval that supports the claim, or the one that refused the choice
   * @param sentence the claim as a sentence, without its caveats
   */
  public record Claim(
      Kind kind,
      Grade grade,
      List<Load> loads,
      List<String> names,
      Optional<Effect> effect,
      String sentence) {
    public Claim {
      loads = List.copyOf(loads);
      names = List.copyOf(names);
    }

    /** Returns whether a choice is claimed that may be relied on. */
    @JsonProperty
    public boolean confirmed() {
      return kind == Kind.USE && grade.holds();
    }
  }

  /**
   * A change from the settings found, with its one interval.
   *
   * @param name of the settings that were measured
   * @param before in the unit of the metric; {@code after} likewise
   * @param confidence of the interval, 0..1
   * @param basis what the interval is over: {@code 24 blocks}
   */
  public record Effect(
      String name,
      String metric,
      String unit,
      double before,
      double after,
      @JsonUnwrapped Change change,
      double confidence,
      String basis) {
    /** {@code p95 402 -> 388 ms, -3.5 % [-4.2, -2.8]}; without an interval, a dash for each end. */
    public String text() {
      return "%s %s -> %s%s, %s %% [%s, %s]"
          .formatted(
              metric,
              NumberText.of(before),
              NumberText.of(after),
              unit.isEmpty() ? "" : " " + unit,
              NumberText.signed(change.percent()),
              NumberText.signed(change.low()),
              NumberText.signed(change.high()));
    }
  }

  /** Returns what the whole answer claims: the least certain of its claims. */
  @JsonProperty
  public Kind kind() {
    return claims.stream().map(Claim::kind).max(Comparator.naturalOrder()).orElse(Kind.OPEN);
  }

  /** Returns what the whole answer is worth: the least of its claims. */
  @JsonProperty
  public Grade grade() {
    return claims.stream().map(Claim::grade).max(Comparator.naturalOrder()).orElse(Grade.UNDECIDED);
  }

  /** Returns the choice; empty if there is none, or not the same for all loads. */
  @JsonProperty
  public Optional<String> choice() {
    List<String> names =
        claims.stream().flatMap(claim -> claim.names().stream()).distinct().toList();
    return kind() == Kind.USE && names.size() == 1 ? Optional.of(names.get(0)) : Optional.empty();
  }

  /** Returns the answer as sentences, one for each claim. */
  @JsonProperty
  public String headline() {
    return claims.stream().map(Claim::sentence).collect(Collectors.joining("; "));
  }

  /** Returns how sure the answer is: its grade, and the rules of good evidence that it meets. */
  @JsonProperty
  public String sure() {
    return grade().words() + (supports.isEmpty() ? "" : ": " + String.join(", ", supports));
  }

  /** Returns the answer in a few words, as a list of runs shows it. */
  public String brief() {
    String what =
        kind() == Kind.USE
            ? claims.stream()
                .flatMap(claim -> claim.names().stream())
                .distinct()
                .collect(Collectors.joining(" | ", "use ", ""))
            : kind().words;
    return grade() == Grade.CONFIRMED || (kind() == Kind.OPEN && grade() == Grade.UNDECIDED)
        ? what
        : "%s (%s)".formatted(what, grade().words());
  }

  /** Returns the grade in files. */
  @Override
  public String toString() {
    return EnumName.of(kind()) + ", " + EnumName.of(grade());
  }
}
