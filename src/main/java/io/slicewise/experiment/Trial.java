package io.slicewise.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import java.util.Optional;

/**
 * One profile × one load × one repetition, at its place in the order.
 *
 * @param number 1-based place in the order
 * @param block 1-based; with {@code AS_WRITTEN} order it equals the repetition
 * @param attempt 1-based; an excluded trial is repeated as the next attempt
 * @param place position in its session, for a window of a switchback design: the block is then
 *     counted over all sessions of the load, and the repetition counts the profile's windows at the
 *     load
 */
public record Trial(
    int number,
    int block,
    String profile,
    @JsonUnwrapped Load load,
    int repetition,
    int attempt,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<WindowPlace> place) {
  public Trial {
    // Not written for a trial outside of sessions.
    place = place == null ? Optional.empty() : place;
    if (attempt < 1) {
      throw new IllegalArgumentException("attempts are counted from 1, not " + attempt);
    }
  }

  /** Creates a first attempt. */
  public Trial(int number, int block, String profile, Load load, int repetition) {
    this(number, block, profile, load, repetition, 1);
  }

  /** Creates a trial that is not part of a session. */
  public Trial(int number, int block, String profile, Load load, int repetition, int attempt) {
    this(number, block, profile, load, repetition, attempt, Optional.empty());
  }

  public Trial at(WindowPlace where) {
    return new Trial(number, block, profile, load, repetition, attempt, Optional.of(where));
  }

  public Trial attempt(int which) {
    return new Trial(number, block, profile, load, repetition, which, place);
  }

  /** Returns the session of a window. */
  public Optional<SessionKey> session() {
    return place.map(where -> new SessionKey(load, where.session()));
  }

  /** Returns its users; 0 if nothing is loaded. */
  public int users() {
    return load.users();
  }

  /**
   * Returns the name of its directory: {@code 0001-credit-256-u25-r1} (with two neighbours {@code
   * …-u25-i2-r1}), {@code 0001-credit-256-u25-r1-try2} for its second attempt, and {@code
   * 0001-credit-256-u25-s1-b03-w02} for a window.
   */
  public String slug() {
    String first =
        Phrase.of(
            "%04d-%s-%s-%s",
            number,
            SchedulerProfile.fileName(profile),
            load.mark(),
            place.map(WindowPlace::mark).orElse("r" + repetition));
    return attempt == 1 ? first : first + "-try" + attempt;
  }
}
