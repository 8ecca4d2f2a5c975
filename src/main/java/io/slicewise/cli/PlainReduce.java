package io.slicewise.cli;

import io.slicewise.jtl.ReductionOptions;
import io.slicewise.jtl.Reductions;
import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code slicewise reduce FILE…} without any option, as {@link ReduceCommand} would do it. There is
 * nothing to parse then, and picocli is left alone: to load it and have it know the command costs
 * as much as to read a million samples.
 */
final class PlainReduce {
  private PlainReduce() {}

  /** Whether the arguments are nothing but the command and files. */
  static boolean is(String[] arguments) {
    boolean plain = arguments.length > 1 && arguments[0].equals("reduce");
    for (String argument : arguments) {
      plain &= !argument.startsWith("-") && !argument.startsWith("@");
    }
    return plain;
  }

  static int execute(String[] arguments, PrintStream out) {
    List<ReduceCommand.ReducedFile> reduced = new ArrayList<>();
    long samples = 0;
    try {
      for (int i = 1; i < arguments.length; i++) {
        var reduction = Reductions.reduce(Path.of(arguments[i]), ReductionOptions.standard());
        samples += reduction.total().samples();
        reduced.add(new ReduceCommand.ReducedFile(arguments[i], reduction));
      }
    } catch (SlicewiseException fault) {
      FaultsInWords.tell(new PrintWriter(System.err, true), fault);
      return fault.exitCode().code();
    }
    byte[] text = ReductionScreen.text(reduced).getBytes(StandardCharsets.UTF_8);
    out.write(text, 0, text.length);
    out.flush();
    return samples > 0 ? ExitCode.OK.code() : ExitCode.NO_VALID_DATA.code();
  }
}
