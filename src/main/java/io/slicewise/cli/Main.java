package io.slicewise.cli;

/** The entry point of the {@code slicewise} command. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(Slicewise.execute(arguments));
  }
}
