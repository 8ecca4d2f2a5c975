package io.slicewise.base.yaml;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * All that is wrong with a file and the files it includes, collected so that one reading tells
 * everything.
 */
public final class Faults {
  private final List<String> files = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();

  private record Fault(String file, int line, String message) {
    @Override
    public String toString() {
      return line > 0 ? file + ":" + line + ": " + message : file + ": " + message;
    }
  }

  /**
   * Keeps a fault.
   *
   * @param line 1-based; 0 when the fault has no line
   */
  public void add(String file, int line, String message) {
    if (!files.contains(file)) {
      files.add(file);
    }
    // A name from a file must not break the line, nor reach the terminal as a control sequence.
    faults.add(new Fault(file, line, message.replaceAll("\\p{Cntrl}+", " ")));
  }

  public boolean isEmpty() {
    return faults.isEmpty();
  }

  /** One line a fault, by file in order of reading, then by line. */
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
   * @param hint the way out
   */
  public void throwIfAny(String hint) {
    if (!isEmpty()) {
      throw new SlicewiseException(ErrorKind.INPUT, text(), hint);
    }
  }
}
