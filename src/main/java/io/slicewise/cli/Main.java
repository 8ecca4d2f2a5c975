package io.slicewise.cli;

/** The entry point of the {@code slicewise} command. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    // JMeter brings Groovy along; picocli, on finding it, would start all of it at every command.
    System.setProperty("picocli.disable.closures", "true");
    System.exit(
        PlainReduce.is(arguments)
            ? PlainReduce.execute(arguments, System.out)
            : Slicewise.execute(arguments));
  }
}
