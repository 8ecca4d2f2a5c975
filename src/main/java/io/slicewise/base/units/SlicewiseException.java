package io.slicewise.base.units;

/** An error in what Slicewise was given or found, from any package. */
public final class SlicewiseException extends HintedException {
  private static final long serialVersionUID = 1L;

  public SlicewiseException(ErrorKind errorKind, String message, String hint) {
    this(errorKind, message, hint, null);
  }

  public SlicewiseException(ErrorKind errorKind, String message, String hint, Throwable cause) {
    super(errorKind, message, hint, cause);
  }
}
