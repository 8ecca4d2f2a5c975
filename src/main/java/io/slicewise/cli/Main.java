package io.slicewise.cli;

/** The entry point of the {@code slicewise} command. */
public final class Main {
  private static final String CLASS_PATH = "java.class.path";

  /** How the launcher names an installation whose archive of classes may be anywhere. */
  private static final String INSIDE = "/proc/self/fd/9";

  private Main() {}

  public static void main(String[] arguments) {
    prepare();
    System.exit(
        PlainReduce.is(arguments)
            ? PlainReduce.execute(arguments, System.out)
            : Slicewise.execute(arguments));
  }

  /** Sets the properties that hold for every command. */
  static void prepare() {
    // Other processes, which get this class path, do not have that directory open.
    System.setProperty(
        CLASS_PATH,
        System.getProperty(CLASS_PATH).replace(INSIDE, System.getProperty("slicewise.home", "")));
    // Groovy comes with JMeter; picocli would initialize it for every command.
    System.setProperty("picocli.disable.closures", "true");
  }
}
