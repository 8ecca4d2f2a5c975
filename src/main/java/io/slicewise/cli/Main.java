package io.slicewise.cli;

/** The entry point of the {@code slicewise} command. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    // Groovy comes with JMeter; picocli would initialize it for every command.
    System.setProperty("picocli.disable.closures", "true");
    System.exit(
        PlainReduce.is(arguments)
            ? PlainReduce.execute(arguments, System.out)
            : Slicewise.execute(arguments));
  }
}
