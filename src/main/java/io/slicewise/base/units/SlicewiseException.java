package io.slicewise.base.units;

/** An error in what Slicewise was given or found, from any package. */
public final class SlicewiseException extends HintedException {
  private static final long serialVersionUID = 1L;

  /** Returns the error for wrong options or a faulty file. */
  public static SlicewiseException input(String message, String hint) {
    return input(message, hint, null);
  }

  /** Returns the error for wrong options or a faulty file, with what caused it. */
  public static SlicewiseException input(String message, String hint, Throwable cause) {
    return new SlicewiseException(ErrorKind.INPUT, message, hint, cause);
  }

  public SlicewiseException(ErrorKind errorKind, String message, String hint) {
    this(errorKind, message, hint, null);
  }

  public SlicewiseException(ErrorKind errorKind, String message, String hint, Throwable cause) {
    super(errorKind, message, hint, cause);
  }
}
