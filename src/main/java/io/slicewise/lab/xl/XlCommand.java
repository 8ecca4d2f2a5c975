package io.slicewise.lab.xl;

import io.slicewise.lab.shell.Invocation;
import java.io.IOException;

/** One subcommand of {@code xl}. Its first word is the subcommand's name. */
@FunctionalInterface
interface XlCommand {
  int run(Invocation invocation) throws IOException;
}
