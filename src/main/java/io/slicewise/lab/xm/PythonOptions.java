package io.slicewise.lab.xm;

import io.slicewise.lab.shell.Getopt;
import java.util.List;

/** Options as Python's getopt module reads them. */
final class PythonOptions {
  private PythonOptions() {}

  /** Parses options. An unknown option, or one without its argument, is an error with usage. */
  static Getopt parse(List<String> arguments, String shorts, String longs) {
    Getopt options = Getopt.parse(arguments, shorts, longs);
    for (Getopt.Option option : options.options()) {
      if (option.letter() == '?') {
        String name =
            option.argument().startsWith("--") ? option.argument() : "-" + option.argument();
        boolean known = name.length() == 2 && shorts.indexOf(name.charAt(1)) >= 0;
        throw XmFailure.withUsage(
            "option " + name + (known ? " requires argument" : " not recognized"));
      }
    }
    return options;
  }
}
