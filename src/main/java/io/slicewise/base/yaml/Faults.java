package io.slicewise.base.yaml;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The errors in a file and the files it includes, collected so that all are reported at once. */
public final class Faults {
  private final List<String> files = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();
  private final Set<String> strange = new HashSet<>();

  private record Fault(String file, int line, String message) {
    @Override
    public String toString() {
      return line > 0 ? file + ":" + line + ": " + message : file + ": " + message;
    }
  }

  /**
   * Adds an error.
   *
   * @param line 1-based; 0 if the error has no line
   */
  public void add(String file, int line, String message) {
    if (!files.contains(file)) {
      files.add(file);
    }
    // A name from a file must neither break the line nor reach the terminal as a control sequence.
    faults.add(new Fault(file, line, Secret.masked(message.replaceAll("\\p{Cntrl}+", " "))));
  }

  /**
   * Lets faults of a file quote nothing of its text until {@link #know}: a file that another one
   * names may be anybody's, and not of the expected kind.
   */
  void distrust(String file) {
    strange.add(file);
  }

  /** Lets faults of a file quote it: it is of the expected kind. */
  void know(String file) {
    strange.remove(file);
  }

  boolean mayQuote(String file) {
    return !strange.contains(file);
  }

  public boolean isEmpty() {
    return faults.isEmpty();
  }

  /** Returns one line per error, by file in order of reading, then by line. */
  public String text() {
    return faults.stream()
        .sorted(
            Comparator.comparingInt((Fault fault) -> files.indexOf(fault.file()))
                .thenComparingInt(Fault::line))
        .map(Fault::toString)
        .distinct()
        .collect(Collectors.joining("\n"));
  }

  /**
   * Throws all faults as one {@link SlicewiseException} with {@link ErrorKind#INPUT}, if there are
   * any.
   *
   * @param hint what to do
   */
  public void throwIfAny(String hint) {
    if (!isEmpty()) {
      throw SlicewiseException.input(text(), hint);
    }
  }
}
